// SPDX-License-Identifier: BSD-3-Clause
// Pipelines along a chain of all ranks, in which K segments follow each other. Ranks are numbered
// by their distance from the root.
#include <algorithm>

#include "algorithms/families.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

Int down_rounds(const Shape& s) {
  return s.p - 1;
}
Buffers down_buffers(const Shape&) {
  return {0, 1, 0};
}
void down_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank);
  if (me == t && me + 1 < s.p) out.send({{Buffer::output, 0}}, Rank{me + 1});
  if (me == t + 1) out.receive({{Buffer::output, 0}}, Rank{me - 1});
}

// Before round t the first t ranks behind the root have the data, as it has.
Held passed_down(const Shape&, Rank me, Int t, Int) {
  return num(me) <= t ? held(Buffer::output, 0) : nothing_held();
}

// With one rank, one round copies input to output.
Int up_rounds(const Shape& s) {
  return std::max<Int>(1, s.p - 1);
}
Buffers up_buffers(const Shape&) {
  return {1, 1, 1};
}
void up_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), sender = s.p - 1 - t;
  const Block input{Buffer::input, 0}, sum{me == 0 ? Buffer::output : Buffer::scratch, 0};
  if (s.p == 1) return out.copy({sum}, {input});
  if (me == sender) out.send({me == s.p - 1 ? input : sum}, Rank{me - 1});
  if (me == sender - 1) out.receive_combine({sum}, {local({input}), remote(Rank{me + 1})});
}

// The last rank that has not sent has the sum of those behind it.
Held passed_up(const Shape& s, Rank rank, Int t, Int) {
  const Int me = num(rank), sender = s.p - 1 - t;
  if (s.p == 1) return held_sum(t == 0 ? Buffer::input : Buffer::output, 0, 0, 1);
  if (me > sender) return nothing_held();
  if (me < sender || t == 0) return held_sum(Buffer::input, 0, me, me + 1);
  return held_sum(me == 0 ? Buffer::output : Buffer::scratch, 0, me, s.p);
}

constexpr Generator down = with_invariant({"chain", Operation::broadcast, down_rounds, down_buffers,
                                           down_emit, any_shape, Operators::any},
                                          {passed_down});
constexpr Generator up = with_invariant(
    {"chain", Operation::reduce, up_rounds, up_buffers, up_emit, any_shape, Operators::any},
    {passed_up});
constexpr Generator down_from_root = map_ranks<down, distance_from_root, rank_at_distance>("chain");
constexpr Generator up_to_root =
    map_ranks<up, distance_from_root, rank_at_distance>("chain", Operators::commutative);

}  // namespace

// broadcast chain: segments travel around the ring of ranks from the root, and each rank passes a
// segment on as soon as it has it.
//   Source: folklore; paper 000, 4.3.1 (repeated ring broadcasts) for the effect
//   Needs:  any p, any root, segments >= 1
//   Cost:   rounds p+K-2; messages K*(p-1); volume K*(p-1); alpha rounds; beta rounds;
//           root K*Ts; longest rounds*Tc; done if(i == rounds-1, p, max(0, i-K+2))
constexpr Generator broadcast_chain = with_aliases(pipelined<down_from_root>("chain"), "pipeline");

// reduce chain: partial sums of segments travel around the ring of ranks to the root.
//   Source: folklore (the pipelined broadcast backwards)
//   Needs:  any p, any root, segments >= 1; commutative operator (rank order for root 0)
//   Cost:   rounds p+K-2; messages K*(p-1); volume K*(p-1); combines K*(p-1); alpha rounds;
//           beta rounds; gamma rounds; root rounds*(Tc + To); longest root;
//           done if(i == rounds-1, p, max(0, i-K+2))
constexpr Generator reduce_chain = with_aliases(pipelined<up_to_root>("chain"), "pipeline");

}  // namespace tutti::algorithms
