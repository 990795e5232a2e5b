// SPDX-License-Identifier: BSD-3-Clause
// Bucket algorithms: every rank passes one block a round to the next rank around the ring, or two
// blocks to its neighbours in turn. Partners are neighbours and all links always carry the same
// load, which suits long vectors.
#include <algorithm>

#include "algorithms/families.hpp"
#include "algorithms/vectors.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

// With one rank, one round copies input to output.
Int rounds(const Shape& s) {
  return std::max<Int>(1, s.p - 1);
}

void collect_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), p = s.p;
  if (p > 1) {
    out.send({t == 0 ? Block{Buffer::input, 0} : Block{Buffer::output, mod(me - t, p)}},
             Rank{mod(me + 1, p)});
    out.receive({{Buffer::output, mod(me - 1 - t, p)}}, Rank{mod(me - 1, p)});
  }
  if (t == 0) out.copy({{Buffer::output, me}}, {{Buffer::input, 0}});
}

// Before round t a rank has its own block and those of the t ranks below, cyclically.
Held collected(const Shape& s, Rank rank, Int t, Int block) {
  const Int me = num(rank);
  if (t == 0) return block == me ? held(Buffer::input, 0) : nothing_held();
  return mod(me - block, s.p) <= t ? held(Buffer::output, block) : nothing_held();
}

// The sum for rank b begins at b + 1 and grows on its way around, until it reaches b in the last
// round.
void combine_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), p = s.p;
  if (p == 1) return out.copy({{Buffer::output, 0}}, {{Buffer::input, 0}});
  const Int next = mod(me - 2 - t, p);
  out.send({{t == 0 ? Buffer::input : Buffer::scratch, mod(me - 1 - t, p)}}, Rank{mod(me + 1, p)});
  out.receive_combine({next == me ? Block{Buffer::output, 0} : Block{Buffer::scratch, next}},
                      {remote(Rank{mod(me - 1, p)}), local({{Buffer::input, next}})});
}

// A rank sends the sum for `block` in round mod(me - 1 - block, p), and nothing of it is left. In
// the round before it has received the sum; until then it holds its own part.
Held combined(const Shape& s, Rank rank, Int t, Int block) {
  const Int me = num(rank), p = s.p;
  if (p == 1) return held(t == 0 ? Buffer::input : Buffer::output, 0);
  const Int sent = mod(me - 1 - block, p);
  if (t > sent) return nothing_held();
  if (t < sent || t == 0) return held(Buffer::input, block);
  return block == me ? held(Buffer::output, 0) : held(Buffer::scratch, block);
}

// In the first round a rank also copies its own block.
Int collect_like(const Shape&, Int t) {
  return std::min<Int>(t, 1);
}
Int combine_like(const Shape&, Int) {
  return 0;
}
// Left and right neighbours take turns.
Int pairs_like(const Shape&, Int t) {
  return t == 0 ? t : 2 - t % 2;
}

Int pairs_rounds(const Shape& s) {
  return s.p / 2;
}
bool is_even(const Shape& s) {
  return s.p % 2 == 0;
}

// Returns the pair of blocks, counted in pairs, that arrives in round t > 0. An even rank gets the
// neighbouring pair on the left of its own, then the one on the right, then the next further ones.
// An odd rank gets the mirror image.
Int pair_of(const Shape& s, Int me, Int t) {
  const Int distance = (t + 1) / 2;
  return mod(me / 2 + ((t % 2 == 1) == (me % 2 == 0) ? -distance : distance), s.p / 2);
}

void pairs_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank);
  const Rank partner{mod(me + (t % 2 == me % 2 ? 1 : -1), s.p)};
  if (t == 0) {
    out.send({{Buffer::input, 0}}, partner);
    out.receive({{Buffer::output, num(partner)}}, partner);
    return out.copy({{Buffer::output, me}}, {{Buffer::input, 0}});
  }
  out.send({{Buffer::output, 2 * pair_of(s, me, t - 1), 2}}, partner);
  out.receive({{Buffer::output, 2 * pair_of(s, me, t), 2}}, partner);
}

// Before round t > 0 a rank has t neighbouring pairs of blocks. `below` of them come before its own
// pair, cyclically.
Held exchanged(const Shape& s, Rank rank, Int t, Int block) {
  const Int me = num(rank);
  if (t == 0) return block == me ? held(Buffer::input, 0) : nothing_held();
  const Int below = me % 2 == 0 ? t / 2 : (t - 1) / 2;
  return mod(block / 2 - me / 2 + below, s.p / 2) < t ? held(Buffer::output, block)
                                                      : nothing_held();
}

}  // namespace

// allgather ring: every block travels once around, each rank passing on what it received in the
// round before.
//   Source: paper 001, 3.2.1 (bucket collect)
//   Needs:  any p
//   Cost:   rounds p-1; messages p*(p-1); volume p*(p-1); alpha p-1; beta p-1;
//           root (p-1)*Tc; longest (p-1)*Tc; done if(i == p-2, p, 0)
constexpr Generator allgather_ring =
    with_like(with_ranks_alike(with_invariant(
                  {"ring", Operation::allgather, rounds, allgather_buffers, collect_emit, any_shape,
                   Operators::any, Parameter::none, "bucket bucket_collect"},
                  {collected})),
              collect_like);

// reduce_scatter ring: the sum for each rank travels once around, starting above that rank, and
// everybody adds a part.
//   Source: paper 001, 3.2.1 (bucket distributed combine)
//   Needs:  any p; commutative operator
//   Cost:   rounds p-1; messages p*(p-1); volume p*(p-1); combines p*(p-1); alpha p-1; beta p-1;
//           gamma p-1; root (p-1)*(Tc + To); longest (p-1)*(Tc + To); done if(i == p-2, p, 0)
constexpr Generator reduce_scatter_ring =
    with_like(with_ranks_alike(with_invariant(
                  {"ring", Operation::reduce_scatter, rounds, reduce_scatter_buffers, combine_emit,
                   any_shape, Operators::commutative, Parameter::none, "bucket bucket_combine"},
                  {combined})),
              combine_like);

// allgather neighbour_exchange: every rank exchanges two blocks a round, with its left and its
// right neighbour in turn.
//   Source: Chen, Zhang, Zhang, Yuan, Performance evaluation of allgather algorithms on terascale
//           Linux cluster, 2005
//   Needs:  even p
//   Cost:   rounds floor_div(p, 2); messages p*rounds; volume p*(p-1); alpha rounds; beta p-1;
//           root rounds*Tc; longest rounds*Tc; done if(i == rounds-1, p, 0)
constexpr Generator allgather_neighbour_exchange =
    with_like(with_ranks_alike(with_invariant(
                  {"neighbour_exchange", Operation::allgather, pairs_rounds, allgather_buffers,
                   pairs_emit, is_even, Operators::any, Parameter::none, "neighbor_exchange"},
                  {exchanged})),
              pairs_like);

}  // namespace tutti::algorithms
