// SPDX-License-Identifier: BSD-3-Clause
// Transforms, which make new generators from old ones: reverse (broadcast <-> reduce, scatter <->
// gather), map_ranks, pipelined, and then (compose.hpp). A generator is a table of stateless
// functions, so a transform of one is a template over it: `constexpr Generator reduce_mst =
// reverse<broadcast_mst>("mst");`. Ordinary functions over rounds (namespace detail) do the work;
// the templates only bind them to their argument.
#pragma once

#include "schedule/compose.hpp"
#include "schedule/generator.hpp"

namespace tutti::schedule {

// distance_from_root() numbers the ranks upwards from the root, cyclically, so that the root is 0.
// rank_at_distance() turns such a number back into the rank.
Int distance_from_root(const Shape& shape, Int rank);
Int rank_at_distance(const Shape& shape, Int distance);
// Numbers the ranks downwards from the root, cyclically. The map is its own inverse.
Int distance_below_root(const Shape& shape, Int rank);
// Numbers the ranks by their exclusive or with the root; p must be a power of two. The map is its
// own inverse.
Int exclusive_or_root(const Shape& shape, Int rank);

namespace detail {

constexpr Operation reversed_operation(Operation operation) {
  switch (operation) {
    case Operation::broadcast:
      return Operation::reduce;
    case Operation::reduce:
      return Operation::broadcast;
    case Operation::scatter:
      return Operation::gather;
    default:
      return Operation::scatter;
  }
}
constexpr bool has_reverse(Operation operation) {
  return operation == Operation::broadcast || operation == Operation::reduce ||
         operation == Operation::scatter || operation == Operation::gather;
}
Int reversed_rounds(const Generator& forward, const Shape& shape);
Buffers reversed_buffers(const Generator& forward, const Shape& shape);
void reversed_emit(const Generator& forward, Round& out, const Shape& shape, Rank me, Int t);
Int reversed_like(const Generator& forward, const Shape& shape, Int t);

void mapped_emit(const Generator& inner, RankMap to_number, RankMap to_rank, Round& out,
                 const Shape& shape, Rank me, Int t);

Int pipelined_rounds(const Generator& inner, const Shape& shape);
Buffers pipelined_buffers(const Generator& inner, const Shape& shape);
void pipelined_emit(const Generator& inner, Round& out, const Shape& shape, Rank me, Int t);

template <const Generator& forward>
struct Reverse {
  static Int rounds(const Shape& s) { return reversed_rounds(forward, s); }
  static Buffers buffers(const Shape& s) { return reversed_buffers(forward, s); }
  static void emit(Round& out, const Shape& s, Rank me, Int t) {
    reversed_emit(forward, out, s, me, t);
  }
  static Int like(const Shape& s, Int t) { return reversed_like(forward, s, t); }
};

template <const Generator& inner, RankMap to_number, RankMap to_rank>
struct MapRanks {
  static void emit(Round& out, const Shape& s, Rank me, Int t) {
    mapped_emit(inner, to_number, to_rank, out, s, me, t);
  }
};

Buffers no_buffers(const Shape& shape);
void without_data_emit(const Generator& inner, Round& out, const Shape& shape, Rank me, Int t);

template <const Generator& inner>
struct WithoutData {
  static Int rounds(const Shape& s) { return inner.rounds(s); }
  static void emit(Round& out, const Shape& s, Rank me, Int t) {
    without_data_emit(inner, out, s, me, t);
  }
  static bool applies(const Shape& s) { return inner.applies(s); }
};

template <const Generator& inner>
struct Pipelined {
  static Int rounds(const Shape& s) { return pipelined_rounds(inner, s); }
  static Buffers buffers(const Shape& s) { return pipelined_buffers(inner, s); }
  static void emit(Round& out, const Shape& s, Rank me, Int t) {
    pipelined_emit(inner, out, s, me, t);
  }
  static bool applies(const Shape& s) { return s.segments >= 1 && inner.applies(s); }
};

}  // namespace detail

// Makes a generator that runs the rounds backwards, each message in the other direction.
//   broadcast -> reduce   A round of local work first copies the input into an accumulator: output
//                         at the root, scratch elsewhere. Then a child's contribution goes before
//                         or after the parent's own, as the child's number is below or above the
//                         parent's. So intervals that are contiguous stay in order.
//   reduce -> broadcast   This undoes the reversal of a broadcast.
//   scatter <-> gather    Input and output are exchanged, too.
// The caller says with `commutative_only` whether operands leave the rank order.
template <const Generator& forward>
constexpr Generator reverse(const char* name, Operators operators = Operators::any) {
  static_assert(detail::has_reverse(forward.operation));
  using Made = detail::Reverse<forward>;
  return with_like(
      with_derivation({name, detail::reversed_operation(forward.operation), Made::rounds,
                       Made::buffers, Made::emit, forward.applies, operators, forward.parameter},
                      {Transform::reverse, &forward}),
      forward.like != nullptr ? Made::like : nullptr);
}

// Makes a generator for the same schedule with other numbers for the ranks. Blocks keep their
// numbers, so it suits operations whose blocks do not belong to ranks. Operands keep the order they
// have in the generator's numbering.
template <const Generator& inner, RankMap to_number, RankMap to_rank>
constexpr Generator map_ranks(const char* name, Operators operators = Operators::any) {
  return with_like(with_derivation({name, inner.operation, inner.rounds, inner.buffers,
                                    detail::MapRanks<inner, to_number, to_rank>::emit,
                                    inner.applies, operators, inner.parameter},
                                   {Transform::map_ranks, &inner, nullptr, to_number, to_rank}),
                   inner.like);
}

// Makes a generator in which every block is cut into K = shape.segments chunks; chunk c runs c
// rounds behind chunk 0. Chunk c of block b has the index b*K + c.
template <const Generator& inner>
constexpr Generator pipelined(const char* name) {
  using Made = detail::Pipelined<inner>;
  return with_derivation({name, inner.operation, Made::rounds, Made::buffers, Made::emit,
                          Made::applies, inner.operators, Parameter::segments},
                         {Transform::pipelined, &inner});
}

// Makes a barrier of the messages of an allreduce without their blocks. The allreduce may be
// defined in another file.
template <const Generator& inner>
constexpr Generator without_data(const char* name, Parameter parameter = Parameter::none) {
  using Made = detail::WithoutData<inner>;
  return with_derivation({name, Operation::barrier, Made::rounds, detail::no_buffers, Made::emit,
                          Made::applies, Operators::any, parameter},
                         {Transform::without_data, &inner});
}

// Returns the generator with these other names.
constexpr Generator with_aliases(Generator generator, const char* aliases) {
  generator.aliases = aliases;
  return generator;
}

}  // namespace tutti::schedule
