// SPDX-License-Identifier: BSD-3-Clause
// The ring topologies of the BLACS: chains that start at the root. They are written for root 0. A
// ring for another root is the same ring turned; a decreasing ring is an increasing one mirrored.
// In reductions, too, messages travel in the direction of the name. So a reduction is the reverse
// of the broadcast with the other direction.
#include <algorithm>

#include "algorithms/families.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

Buffers buffers(const Shape&) {
  return {0, 1, 0};
}
bool has_rings(const Shape& s) {
  return s.rings >= 1;
}

// The position of a rank in its chain, which begins after the root. `place` ranks of the chain come
// before this one. `next` comes after it, or is -1 at the end.
struct Link {
  Int place;
  Int previous;
  Int next;
};

void forward_along(Round& out, const Link& link, Int t) {
  if (t == link.place) out.receive({{Buffer::output, 0}}, Rank{link.previous});
  if (t == link.place + 1 && link.next >= 0) out.send({{Buffer::output, 0}}, Rank{link.next});
}

// The p - 1 ranks other than the root, cut into increasing rings. The first `longer` rings have
// length + 1 ranks, the others have `length`.
struct Cut {
  Int rings, length, longer;
  Cut(Int p, Int wanted)
      : rings(std::min<Int>(wanted, p - 1)), length((p - 1) / rings), longer((p - 1) % rings) {}
  Int head(Int ring) const { return 1 + ring * length + std::min<Int>(ring, longer); }
  Int ring_of(Int rank) const {
    const Int in_longer = longer * (length + 1);
    return rank - 1 < in_longer ? (rank - 1) / (length + 1)
                                : longer + (rank - 1 - in_longer) / length;
  }
};

void rings_emit(Round& out, const Cut& cut, Int me, Int t) {
  if (me == 0) {
    for (Int ring = 0; t == 0 && ring < cut.rings; ++ring)
      out.send({{Buffer::output, 0}}, Rank{cut.head(ring)});
    return;
  }
  const Int ring = cut.ring_of(me), place = me - cut.head(ring);
  const Truth last = me + 1 == cut.head(ring + 1);
  forward_along(out, {place, place == 0 ? 0 : me - 1, last ? -1 : me + 1}, t);
}

Int increasing_rounds(const Shape& s) {
  return s.p - 1;
}
void increasing_emit(Round& out, const Shape& s, Rank me, Int t) {
  rings_emit(out, Cut(s.p, 1), num(me), t);
}

// Before round t the first t ranks behind the root have the data, as it has.
Held passed_up(const Shape&, Rank me, Int t, Int) {
  return num(me) <= t ? held(Buffer::output, 0) : nothing_held();
}

Int multi_rounds(const Shape& s) {
  return s.p == 1 ? 0 : 1 + (s.p - 2) / s.rings;  // the sum of p and rings may exceed int
}
void multi_emit(Round& out, const Shape& s, Rank me, Int t) {
  rings_emit(out, Cut(s.p, s.rings), num(me), t);
}

Int split_rounds(const Shape& s) {
  return s.p / 2;
}

// Ranks 1 .. p/2 are the increasing side, ranks p-1 down to p/2 + 1 the decreasing one.
void split_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), half = s.p / 2;
  if (me == 0) {
    if (t == 0) out.send({{Buffer::output, 0}}, Rank{1});
    if (t == 0 && s.p > 2) out.send({{Buffer::output, 0}}, Rank{s.p - 1});
  } else if (me <= half) {
    forward_along(out, {me - 1, me - 1, me == half ? -1 : me + 1}, t);
  } else {
    forward_along(out, {s.p - 1 - me, (me + 1) % s.p, me == half + 1 ? -1 : me - 1}, t);
  }
}

// Before round t the first t ranks on either side of the root have the data, as it has. The
// decreasing side has one rank less if p is even.
Held passed_both_ways(const Shape& s, Rank me, Int t, Int) {
  return num(me) <= t || s.p - num(me) <= t ? held(Buffer::output, 0) : nothing_held();
}

constexpr Generator increasing =
    with_invariant({"increasing_ring", Operation::broadcast, increasing_rounds, buffers,
                    increasing_emit, any_shape, Operators::any},
                   {passed_up});
constexpr Generator multi{"multiring", Operation::broadcast, multi_rounds,    buffers, multi_emit,
                          has_rings,   Operators::any,       Parameter::rings};
constexpr Generator split = with_invariant({"split_ring", Operation::broadcast, split_rounds,
                                            buffers, split_emit, any_shape, Operators::any},
                                           {passed_both_ways});
constexpr Generator decreasing =
    map_ranks<increasing, distance_below_root, distance_below_root>("decreasing_ring");
constexpr Generator multi_down =
    map_ranks<multi, distance_below_root, distance_below_root>("multiring");

constexpr Generator increasing_in = reverse<decreasing>("increasing_ring");
constexpr Generator decreasing_in = reverse<increasing>("decreasing_ring");
constexpr Generator split_in = reverse<split>("split_ring");
constexpr Generator multi_in = reverse<multi_down>("multiring");

template <const Generator& ring>
constexpr Generator turned(Operators operators = Operators::any) {
  return map_ranks<ring, distance_from_root, rank_at_distance>(ring.name, operators);
}

}  // namespace

// broadcast increasing_ring: each rank receives from the one below and forwards to the one above,
// cyclically.
//   Source: paper 000, 4.3.1, figure 12, table 9 (TOP = 'I')
//   Needs:  any p, any root
//   Cost:   rounds p-1; messages p-1; volume p-1; alpha p-1; beta p-1; root Ts; longest (p-1)*Tc;
//           done if(i == p-2, p, 1+i)
constexpr Generator broadcast_increasing_ring = with_aliases(turned<increasing>(), "i_ring");

// broadcast decreasing_ring: each rank receives from the one above and forwards to the one below,
// cyclically.
//   Source: paper 000, 4.3.1, figure 13, table 9 (TOP = 'D')
//   Needs:  any p, any root
//   Cost:   rounds p-1; messages p-1; volume p-1; alpha p-1; beta p-1; root Ts; longest (p-1)*Tc;
//           done if(i == p-2, p, 1+i)
constexpr Generator broadcast_decreasing_ring = with_aliases(turned<decreasing>(), "d_ring");

// broadcast split_ring: half of the ranks are served upwards, the others downwards; the root sends
// upwards first.
//   Source: paper 000, 4.3.1, figure 14 (TOP = 'S')
//   Needs:  any p, any root
//   Cost:   rounds floor_div(p, 2); messages p-1; volume p-1; alpha S + min(p-1, 2) - 1;
//           beta alpha; root min(p-1, 2)*Ts; longest S*Tc + mod(p, 2)*Ts;
//           done if(i == S-1, p, 1 + i + if(i == S-2, i + 1 - mod(p, 2), i));
//           where S = floor_div(p, 2)
constexpr Generator broadcast_split_ring = with_aliases(turned<split>(), "s_ring");

// broadcast multiring: the ranks other than the root are cut into N_r increasing rings; the root
// sends to the first rank of each, the nearest first.
//   Source: paper 000, 4.3.1, figure 15, table 9 (TOP = 'M')
//   Needs:  any p, any root, rings >= 1
//   Cost:   rounds ceil_div(p-1, R); messages p-1; volume p-1; alpha ceil_div(p-1, R) + R - 1;
//           beta alpha; root R*Ts; longest ceil_div(p-1, R)*Tc + mod(p-2, R)*Ts;
//           done 1 + L*if(i == l, l+1, i) + (R-L)*if(i >= l-1, l, i);
//           where R = min(Nr, p-1); l = floor_div(p-1, R); L = mod(p-1, R)
constexpr Generator broadcast_multiring = with_aliases(turned<multi>(), "m_ring");

// reduce increasing_ring: starting above the root, each rank adds its part to what it received and
// passes it upwards.
//   Source: the reference BLACS (1.1), combine with TOP = 'I'
//   Needs:  any p, any root; commutative operator (rank order for root 0)
//   Cost:   rounds p-1; messages p-1; volume p-1; combines p-1; alpha p-1; beta p-1; gamma p-1;
//           root (p-1)*(Tc + To); longest (p-1)*(Tc + To); done if(i == p-2, p, i+1)
constexpr Generator reduce_increasing_ring =
    with_aliases(turned<increasing_in>(Operators::commutative), "i_ring");

// reduce decreasing_ring: starting below the root, each rank adds its part to what it received and
// passes it downwards.
//   Source: the reference BLACS (1.1), combine with TOP = 'D'
//   Needs:  any p, any root; commutative operator (rank order for root 0)
//   Cost:   rounds p-1; messages p-1; volume p-1; combines p-1; alpha p-1; beta p-1; gamma p-1;
//           root (p-1)*(Tc + To); longest (p-1)*(Tc + To); done if(i == p-2, p, i+1)
constexpr Generator reduce_decreasing_ring =
    with_aliases(turned<decreasing_in>(Operators::commutative), "d_ring");

// reduce split_ring: the messages of the split ring run backwards; partial sums come down to the
// root along one chain and up along the other.
//   Source: paper 000, 4.3.1, figure 14, backwards. Not what the reference BLACS (1.1) does for TOP
//           = 'S' in a combine: there two increasing rings, which is multiring with rings = 2
//   Needs:  any p, any root; commutative operator (rank order for root 0)
//   Cost:   rounds S; messages p-1; volume p-1; combines p-1; alpha S + min(p-1, 2) - 1;
//           beta alpha; gamma alpha; root S*(Tc + To) + if(p > 2, Tc, 0);
//           longest S*(Tc + To) + if(p > 2, Tc, 0); done if(i == S-1, p, 2*i + 1 + mod(p, 2));
//           where S = floor_div(p, 2)
constexpr Generator reduce_split_ring =
    with_aliases(turned<split_in>(Operators::commutative), "s_ring");

// reduce multiring: N_r increasing rings end at the root; the first (p-1) mod N_r of them, counted
// downwards from the root, have one rank more.
//   Source: the reference BLACS (1.1), combine with TOP = 'M', rings cut as in paper 000, 4.3.1
//   Needs:  any p, any root, rings >= 1; commutative operator (rank order for root 0)
//   Cost:   rounds ceil_div(p-1, R); messages p-1; volume p-1; combines p-1;
//           alpha ceil_div(p-1, R) + R - 1; beta alpha; gamma alpha;
//           root (l + R - 1)*Tc + (l + if(R == L + 1, min(L, 1), 0))*To; longest root;
//           done if(i == rounds-1, p, L*(i+1) + (R-L)*(i + if(L == 0, 1, 0)));
//           where R = min(Nr, p-1); l = floor_div(p-1, R); L = mod(p-1, R)
constexpr Generator reduce_multiring =
    with_aliases(turned<multi_in>(Operators::commutative), "m_ring");

// allreduce increasing_ring: partial sums travel around the ring to the root, then the result
// travels once more around it.
//   Source: the reference BLACS (1.1), combine with TOP = 'I', leave-on-all
//   Needs:  any p, any root; commutative operator (rank order for root 0)
//   Cost:   rounds 2*(p-1); messages 2*(p-1); volume 2*(p-1); combines p-1; alpha 2*(p-1);
//           beta 2*(p-1); gamma p-1; root (p-1)*(Tc + To) + Ts; longest (p-1)*(2*Tc + To);
//           done if(i == rounds-1, p, max(0, i - p + 2))
constexpr Generator allreduce_increasing_ring = with_aliases(
    then<reduce_increasing_ring, broadcast_increasing_ring>("increasing_ring"), "i_ring");

// allreduce decreasing_ring: partial sums travel downwards around the ring to the root, then the
// result travels once more around it.
//   Source: the reference BLACS (1.1), combine with TOP = 'D', leave-on-all
//   Needs:  any p, any root; commutative operator (rank order for root 0)
//   Cost:   rounds 2*(p-1); messages 2*(p-1); volume 2*(p-1); combines p-1; alpha 2*(p-1);
//           beta 2*(p-1); gamma p-1; root (p-1)*(Tc + To) + Ts; longest (p-1)*(2*Tc + To);
//           done if(i == rounds-1, p, max(0, i - p + 2))
constexpr Generator allreduce_decreasing_ring = with_aliases(
    then<reduce_decreasing_ring, broadcast_decreasing_ring>("decreasing_ring"), "d_ring");

// allreduce split_ring: the split ring combines all vectors to the root, then broadcasts the
// result.
//   Source: paper 000, 5.4 (combine, then broadcast along the same topology). Not what the
//           reference BLACS (1.1) does for TOP = 'S', leave-on-all: there the combine is multiring
//           with rings = 2
//   Needs:  any p, any root; commutative operator (rank order for root 0)
//   Cost:   rounds 2*S; messages 2*(p-1); volume 2*(p-1); combines p-1;
//           alpha 2*(S + min(p-1, 2) - 1); beta alpha; gamma S + min(p-1, 2) - 1;
//           root S*(Tc + To) + if(p > 2, Tc, 0) + min(p-1, 2)*Ts;
//           longest S*(2*Tc + To) + if(p > 2, Tc, 0) + mod(p, 2)*Ts;
//           done if(i == rounds-1, p, if(j >= 0, 1 + j + if(j == S-2, j + 1 - mod(p, 2), j), 0));
//           where S = floor_div(p, 2); j = i - S
constexpr Generator allreduce_split_ring =
    with_aliases(then<reduce_split_ring, broadcast_split_ring>("split_ring"), "s_ring");

// allreduce multiring: N_r rings combine all vectors to the root, then N_r rings broadcast the
// result.
//   Source: the reference BLACS (1.1), combine with TOP = 'M', leave-on-all
//   Needs:  any p, any root, rings >= 1; commutative operator (rank order for root 0)
//   Cost:   rounds 2*ceil_div(p-1, R); messages 2*(p-1); volume 2*(p-1); combines p-1;
//           alpha 2*(ceil_div(p-1, R) + R - 1); beta alpha; gamma ceil_div(p-1, R) + R - 1;
//           root (l + R - 1)*Tc + (l + if(R == L + 1, min(L, 1), 0))*To + R*Ts;
//           longest (l + ceil_div(p-1, R) + R - 1)*Tc + (l + if(R == L + 1, min(L, 1), 0))*To +
//           mod(p-2, R)*Ts;
//           done if(j >= 0, 1 + L*if(j == l, l+1, j) + (R-L)*if(j >= l-1, l, j), 0);
//           where R = min(Nr, p-1); l = floor_div(p-1, R); L = mod(p-1, R);
//           j = i - ceil_div(p-1, R)
constexpr Generator allreduce_multiring =
    with_aliases(then<reduce_multiring, broadcast_multiring>("multiring"), "m_ring");

}  // namespace tutti::algorithms
