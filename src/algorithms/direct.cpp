// SPDX-License-Identifier: BSD-3-Clause
// Algorithms of one round, in which every rank sends what another one needs straight to it.
#include <vector>

#include "algorithms/families.hpp"
#include "algorithms/vectors.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

Int one_round(const Shape&) {
  return 1;
}
// With one rank there is nothing to do, so there is no round.
Int one_round_of_messages(const Shape& s) {
  return s.p > 1 ? 1 : 0;
}

Buffers output_only(const Shape&) {
  return {0, 1, 0};
}
Buffers input_and_output(const Shape&) {
  return {1, 1, 0};
}
Buffers slice_buffers(const Shape& s) {
  return {.input = s.p, .output = 1, .parts = s.p, .output_own_part = true};
}
Buffers scatter_buffers(const Shape& s) {
  return {.input = s.p, .output = 1, .parts = s.p, .output_own_part = true};
}

void broadcast_emit(Round& out, const Shape& s, Rank me, Int) {
  if (num(me) == s.root) return out.send({{Buffer::output, 0}}, Ranks{0, s.p, 1, s.root});
  out.receive({{Buffer::output, 0}}, Rank{s.root});
}
Held broadcast_held(const Shape& s, Rank me, Int t, Int part) {
  return t > 0 || num(me) == s.root ? held(Buffer::output, part) : nothing_held();
}

// Calls body(rank) for every rank but `me`.
template <class Body>
void for_each_other(Int p, Int me, Body body) {
  for_each(0, p, [&](Int rank) {
    if (rank != me) body(rank);
  });
}

// output := block `block` of the inputs of all ranks, combined in rank order. The rank's own input
// needs no message.
void fold_all(Round& out, Int p, Rank me, Int block = 0) {
  if (p == 1) return out.copy({{Buffer::output, 0}}, {{Buffer::input, 0}});
  std::vector<Operand> operands;
  for_each(0, p, [&](Int rank) {
    operands.push_back(rank == num(me) ? local({{Buffer::input, block}}) : remote(Rank{rank}));
  });
  out.receive_combine({{Buffer::output, 0}}, std::move(operands));
}

void reduce_emit(Round& out, const Shape& s, Rank me, Int) {
  if (num(me) == s.root) return fold_all(out, s.p, me);
  out.send({{Buffer::input, 0}}, Rank{s.root});
}
Held reduce_held(const Shape& s, Rank me, Int t, Int part) {
  if (t == 0) return held_sum(Buffer::input, part, num(me), num(me) + 1);
  return num(me) == s.root ? held_sum(Buffer::output, part, 0, s.p) : nothing_held();
}

void direct_emit(Round& out, const Shape& s, Rank me, Int) {
  if (s.p > 1) out.send({{Buffer::input, 0}}, Ranks{0, s.p, 1, num(me)});
  fold_all(out, s.p, me);
}
Held direct_held(const Shape& s, Rank me, Int t, Int part) {
  if (t == 0) return held_sum(Buffer::input, part, num(me), num(me) + 1);
  return held_sum(Buffer::output, part, 0, s.p);
}

void allgather_emit(Round& out, const Shape& s, Rank me, Int) {
  if (s.p > 1) out.send({{Buffer::input, 0}}, Ranks{0, s.p, 1, num(me)});
  for_each_other(s.p, num(me), [&](Int rank) {
    out.receive({{Buffer::output, rank}}, Rank{rank});
  });
  out.copy({{Buffer::output, num(me)}}, {{Buffer::input, 0}});
}
Held allgather_held(const Shape&, Rank me, Int t, Int part) {
  if (t > 0) return held(Buffer::output, part);
  return part == num(me) ? held(Buffer::input, 0) : nothing_held();
}

void reduce_scatter_emit(Round& out, const Shape& s, Rank me, Int) {
  for_each_other(s.p, num(me), [&](Int rank) { out.send({{Buffer::input, rank}}, Rank{rank}); });
  fold_all(out, s.p, me, num(me));
}
Held reduce_scatter_held(const Shape& s, Rank me, Int t, Int part) {
  if (t == 0) return held_sum(Buffer::input, part, num(me), num(me) + 1);
  return part == num(me) ? held_sum(Buffer::output, 0, 0, s.p) : nothing_held();
}

void scatter_emit(Round& out, const Shape& s, Rank me, Int) {
  if (num(me) != s.root) return out.receive({{Buffer::output, 0}}, Rank{s.root});
  for_each_other(s.p, s.root, [&](Int rank) { out.send({{Buffer::input, rank}}, Rank{rank}); });
  out.copy({{Buffer::output, 0}}, {{Buffer::input, s.root}});
}
Held scatter_held(const Shape& s, Rank me, Int t, Int part) {
  if (t == 0) return num(me) == s.root ? held(Buffer::input, part) : nothing_held();
  return part == num(me) ? held(Buffer::output, 0) : nothing_held();
}

}  // namespace

// broadcast fully_connected: the root sends to everybody in one round, lowest rank first.
//   Source: paper 000, table 10 (TOP = 'f')
//   Needs:  any p, any root
//   Cost:   rounds 1; messages p-1; volume p-1; alpha p-1; beta p-1;
//           root (p-1)*Ts; longest Tc + (p-2)*Ts; done p
constexpr Generator broadcast_fully_connected =
    with_invariant({"fully_connected", Operation::broadcast, one_round_of_messages, output_only,
                    broadcast_emit, any_shape, Operators::any, Parameter::none, "linear flat"},
                   {broadcast_held});

// reduce fully_connected: everybody sends to the root, which folds the operands in rank order.
//   Source: paper 000, 5.3.2 (fan-in)
//   Needs:  any p, any root
//   Cost:   rounds 1; messages p-1; volume p-1; combines p-1; alpha p-1; beta p-1; gamma p-1;
//           root <= (p-1)*Tc + min(p-1, 2)*To; longest <= root; done p
constexpr Generator reduce_fully_connected =
    with_invariant({"fully_connected", Operation::reduce, one_round, input_and_output, reduce_emit,
                    any_shape, Operators::any, Parameter::none, "linear flat"},
                   {reduce_held});

// allreduce fully_connected: everybody sends to the root (fan-in), which folds the operands and
// sends the result to everybody.
//   Source: paper 000, 5.4 (combine, then broadcast along the same topology)
//   Needs:  any p, any root
//   Cost:   rounds 2; messages 2*(p-1); volume 2*(p-1); combines p-1; alpha 2*(p-1); beta 2*(p-1);
//           gamma p-1; root <= (p-1)*(Tc + Ts) + min(p-1, 2)*To;
//           longest <= p*Tc + min(p-1, 2)*To + (p-2)*Ts; done if(i == 0, 0, p)
constexpr Generator allreduce_fully_connected = with_aliases(
    then<reduce_fully_connected, broadcast_fully_connected>("fully_connected"), "linear flat");

// allreduce direct: everybody sends its vector to everybody and folds all of them in rank order.
//   Source: folklore (gather everything everywhere, then combine locally)
//   Needs:  any p
//   Cost:   rounds 1; messages p*(p-1); volume p*(p-1); combines p*(p-1); alpha p-1; beta p-1;
//           gamma p-1; root <= longest; longest (p-1)*Tc + min(p-1, 2)*To + (p-2)*Ts; done p
constexpr Generator allreduce_direct =
    with_ranks_alike(with_invariant({"direct", Operation::allreduce, one_round, input_and_output,
                                     direct_emit, any_shape, Operators::any},
                                    {direct_held}));

// scatter fully_connected: the root sends each rank its block, lowest rank first.
//   Source: folklore (linear); paper 000, table 10 for the broadcast
//   Needs:  any p, any root
//   Cost:   rounds 1; messages p-1; volume p-1; alpha p-1; beta p-1; root (p-1)*Ts;
//           longest Tc + (p-2)*Ts; done p
constexpr Generator scatter_fully_connected =
    with_invariant({"fully_connected", Operation::scatter, one_round, scatter_buffers, scatter_emit,
                    any_shape, Operators::any, Parameter::none, "linear flat"},
                   {scatter_held});

// gather fully_connected: everybody sends its block to the root.
//   Source: folklore (linear); paper 000, table 10 for the broadcast
//   Needs:  any p, any root
//   Cost:   rounds 1; messages p-1; volume p-1; alpha p-1; beta p-1; root (p-1)*Tc;
//           longest (p-1)*Tc; done p
constexpr Generator gather_fully_connected =
    with_aliases(reverse<scatter_fully_connected>("fully_connected"), "linear flat");

// allgather direct: everybody sends its block to everybody.
//   Source: folklore
//   Needs:  any p
//   Cost:   rounds 1; messages p*(p-1); volume p*(p-1); alpha p-1; beta p-1;
//           root <= longest; longest (p-1)*Tc + (p-2)*Ts; done p
constexpr Generator allgather_direct =
    with_ranks_alike(with_invariant({"direct", Operation::allgather, one_round, allgather_buffers,
                                     allgather_emit, any_shape, Operators::any},
                                    {allgather_held}));

// reduce_scatter direct: everybody sends each rank its part, and folds what it gets in rank order.
//   Source: folklore
//   Needs:  any p
//   Cost:   rounds 1; messages p*(p-1); volume p*(p-1); combines p*(p-1); alpha p-1; beta p-1;
//           gamma p-1; root <= longest; longest (p-1)*Tc + min(p-1, 2)*To + (p-2)*Ts; done p
constexpr Generator reduce_scatter_direct =
    with_ranks_alike(with_invariant({"direct", Operation::reduce_scatter, one_round, slice_buffers,
                                     reduce_scatter_emit, any_shape, Operators::any},
                                    {reduce_scatter_held}));

}  // namespace tutti::algorithms
