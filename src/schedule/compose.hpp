// SPDX-License-Identifier: BSD-3-Clause
// Composition: two generators one after the other, where the second starts from the result of the
// first. The algorithms are built with it, and these pairs fit:
//   reduce, broadcast -> allreduce      reduce_scatter, allgather -> allreduce
//   gather, broadcast -> allgather      reduce, scatter -> reduce_scatter
//   reduce_scatter, gather -> reduce    scatter, allgather -> broadcast
#pragma once

#include "schedule/generator.hpp"

namespace tutti::schedule {

namespace detail {

// Returns the operation that a pair amounts to, or barrier for a pair that does not fit.
constexpr Operation composed_operation(Operation first, Operation second) {
  using enum Operation;
  if (second == broadcast)
    return first == reduce ? allreduce : first == gather ? allgather : barrier;
  if (second == allgather)
    return first == reduce_scatter ? allreduce : first == scatter ? broadcast : barrier;
  if (first == reduce && second == scatter) return reduce_scatter;
  return first == reduce_scatter && second == gather ? reduce : barrier;
}
Buffers composed_buffers(const Generator& first, const Generator& second, const Shape& shape);
// Returns where a block of one of the two lies in the composition, on rank `me`.
Block composed_block(const Generator& first, const Generator& second, const Shape& shape, Rank me,
                     bool is_first, const Block& block);
void composed_emit(const Generator& first, const Generator& second, Round& out, const Shape& shape,
                   Rank me, Int t);

Int composed_like(const Generator& first, const Generator& second, const Shape& shape, Int t);

template <const Generator& first, const Generator& second>
struct Then {
  static Int rounds(const Shape& s) { return first.rounds(s) + second.rounds(s); }
  static Buffers buffers(const Shape& s) { return composed_buffers(first, second, s); }
  static void emit(Round& out, const Shape& s, Rank me, Int t) {
    composed_emit(first, second, out, s, me, t);
  }
  static bool applies(const Shape& s) { return first.applies(s) && second.applies(s); }
  static Int like(const Shape& s, Int t) { return composed_like(first, second, s, t); }
};

}  // namespace detail

// Does what then() does, for generators that are defined in other files. The compiler does not see
// their properties here, so the caller states those of the pair.
template <const Generator& first, const Generator& second>
constexpr Generator compose(const char* name, Operation operation, Operators operators,
                            Parameter parameter = Parameter::none) {
  using Made = detail::Then<first, second>;
  return with_like(with_derivation({name, operation, Made::rounds, Made::buffers, Made::emit,
                                    Made::applies, operators, parameter},
                                   {Transform::then, &first, &second}),
                   Made::like);
}

// Makes a generator that runs `first`, then `second`. Between the two the vector stands in output
// on ranks whose output is the whole vector, and in scratch on the others. The scratch of both is
// put into that buffer too, so its block i must be block i of the vector.
template <const Generator& first, const Generator& second>
constexpr Generator then(const char* name) {
  constexpr Operation operation = detail::composed_operation(first.operation, second.operation);
  static_assert(operation != Operation::barrier);
  return compose<first, second>(
      name, operation,
      first.commutative_only() || second.commutative_only() ? Operators::commutative
                                                            : Operators::any,
      first.parameter != Parameter::none ? first.parameter : second.parameter);
}

}  // namespace tutti::schedule
