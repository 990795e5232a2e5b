// SPDX-License-Identifier: BSD-3-Clause
// Complete exchanges in which every block travels alone, straight to its rank. They differ in who
// sends to whom when. In place, the block from a rank belongs where the block for that rank lies. A
// block that arrives before the block in its place has been sent waits in scratch.
#include <algorithm>

#include "algorithms/families.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

Buffers with_scratch(const Shape& s) {
  return {s.p, s.p, s.p, s.p};
}
Buffers without_scratch(const Shape& s) {
  return {s.p, s.p, 0, s.p};
}

// The block of `from` goes to scratch where the block for that rank is sent in a later round.
void receive_block(Round& out, Int from, Buffer into) {
  out.receive({{into, from}}, Rank{from});
}
// Copies the block from rank `waiting`, if there is one, from scratch to its place; in round 0 also
// copies the own block. These copies end a round, because receives behind them would wait for them,
// and so for the sends before them.
void finish_round(Round& out, Int me, Int t, Int waiting) {
  if (waiting >= 0) out.copy({{Buffer::output, waiting}}, {{Buffer::scratch, waiting}});
  if (t == 0) out.copy({{Buffer::output, me}}, {{Buffer::input, me}});
}
constexpr int nothing_waits = -1;

// Before round t the own block of a rank lies in its place if round 0, which copies it, is over.
Held own_block(Int me, Int t) {
  return held(t == 0 ? Buffer::input : Buffer::output, me);
}

Int others(const Shape& s) {
  return std::max<Int>(1, s.p - 1);
}
// Rank `me` receives from all ranks below it in round me - 1 and from all ranks above it in round
// me.
void naive_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), to = t < me ? t : t + 1;
  if (s.p > 1) out.send({{Buffer::input, to}}, Rank{to});
  const Int first = t == me ? me + 1 : 0, last = t == me ? s.p : t == me - 1 ? me : 0;
  for_each(first, last, [&](Int from) {
    receive_block(out, from, from > me + 1 ? Buffer::scratch : Buffer::output);
  });
  finish_round(out, me, t, to > me + 1 ? to : nothing_waits);
}
Held naive_held(const Shape& s, Rank rank, Int t, Int part) {
  const Int me = num(rank);
  if (part < s.p) {
    const Int sent = part < me ? part : part - 1;
    return part != me && t <= sent ? held(Buffer::input, part) : nothing_held();
  }
  const Int from = part - s.p;
  if (from == me) return own_block(me, t);
  if (t <= (from < me ? me - 1 : me)) return nothing_held();
  return held(from > me + 1 && t < from ? Buffer::scratch : Buffer::output, from);
}

Int stable_rounds(const Shape& s) {
  return s.p;
}
// A perfect shuffle: shuffled(r) is the rank to which rank r sends first, and unshuffled(r) is the
// rank that sends to rank r first.
Int shuffled(Int r, Int p) {
  return mod(2 * r + (2 * r < p || p % 2 == 1 ? 1 : 0), p);
}
Int unshuffled(Int r, Int p) {
  return r % 2 == 1 ? r / 2 : (r + p) / 2;
}

void stable_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), p = s.p;
  const Int to = mod(shuffled(me, p) + t, p), from = unshuffled(mod(me - t, p), p);
  if (to == me) return finish_round(out, me, t, nothing_waits);
  out.send({{Buffer::input, to}}, Rank{to});
  receive_block(out, from, mod(from - shuffled(me, p), p) > t ? Buffer::scratch : Buffer::output);
  finish_round(out, me, t, mod(me - shuffled(to, p), p) < t ? to : nothing_waits);
}

Int circle_rounds(const Shape& s) {
  return s.p - 1 + s.p % 2;
}
// Returns the partner of rank `me` in round k of a tournament, or -1 if it is idle. Seats 1 .. n
// stand in a circle, n odd, and seat 0 in the middle, where nobody sits if p is odd. Two seats of
// the circle meet if their sum is 2k modulo n; seat k meets the middle.
Int partner_in_circle(Int p, Int me, Int k) {
  const Int n = p - 1 + p % 2, seat = me + p % 2;
  if (seat == 0) return k;
  const Int other = 1 + mod(2 * k - seat - 1, n);
  return (other == seat ? 0 : other) - p % 2;
}

void circle_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), partner = partner_in_circle(s.p, me, t + 1);
  if (partner >= 0) {
    out.send({{Buffer::input, partner}}, Rank{partner});
    out.receive({{Buffer::output, partner}}, Rank{partner});
  }
  finish_round(out, me, t, nothing_waits);
}

// Returns the round in which two ranks meet: half the sum of their seats, modulo n.
Int meeting_in_circle(Int p, Int me, Int other) {
  const Int n = p - 1 + p % 2, seat = me + p % 2, other_seat = other + p % 2;
  const Int sum = seat + other_seat;
  if (seat == 0 || other_seat == 0) return sum - 1;
  const Int k = sum % 2 == 0 ? sum / 2 : (sum + n) / 2;
  return k > n ? k - n - 1 : k - 1;
}
Held circle_held(const Shape& s, Rank rank, Int t, Int part) {
  const Int me = num(rank), other = part < s.p ? part : part - s.p;
  if (other == me) return part < s.p ? nothing_held() : own_block(me, t);
  const Int meeting = meeting_in_circle(s.p, me, other);
  if (part < s.p) return t <= meeting ? held(Buffer::input, other) : nothing_held();
  return t > meeting ? held(Buffer::output, other) : nothing_held();
}

// Receives go to memory from which nothing is sent. If a block arrived in the place of one that is
// still to be sent, its receive would have to wait for that send. In a circle of ranks with room
// for one message each, every rank could then send to the next and wait for the one before.
Int direct_rounds(const Shape& s) {
  return s.p > 1 ? 2 : 1;
}
void direct_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank), p = s.p;
  if (t == 1) return out.copy({{Buffer::output, 0, p}}, {{Buffer::scratch, 0, p}});
  for_each(1, p, [&](Int i) { out.send({{Buffer::input, mod(me + i, p)}}, Rank{mod(me + i, p)}); });
  for_each(1, p, [&](Int i) { receive_block(out, mod(me - i, p), Buffer::scratch); });
  out.copy({{p > 1 ? Buffer::scratch : Buffer::output, me}}, {{Buffer::input, me}});
}
Held direct_held(const Shape& s, Rank rank, Int t, Int part) {
  const Int me = num(rank), from = part - s.p;
  if (part < s.p) return t == 0 && part != me ? held(Buffer::input, part) : nothing_held();
  if (t == 0) return from == me ? held(Buffer::input, me) : nothing_held();
  return held(t < direct_rounds(s) ? Buffer::scratch : Buffer::output, from);
}

}  // namespace

// alltoall naive: everybody sends to rank 0, then to rank 1, and so on, leaving out itself.
//   Source: paper 004, 4, procedure naive, figure 6
//   Needs:  any p
//   Cost:   rounds p-1; messages p*(p-1); volume p*(p-1); alpha h*(3*h - 2 + 3*odd); beta alpha;
//           root <= longest; longest if(odd, h*(h + 3)*Tc, (h*h + 2*h - 2)*Tc + min(h-1, 1)*Ts);
//           done if(i == p-2, p, 0);
//           where h = floor_div(p, 2); odd = mod(p, 2)
constexpr Generator alltoall_naive = with_invariant(
    {"naive", Operation::alltoall, others, with_scratch, naive_emit, any_shape, Operators::any},
    {naive_held});

// alltoall stable: starting from a perfect shuffle, the destination moves up by one rank in each
// round; on a hypercube no link is used in two consecutive rounds, so ranks may drift by a round
// without contention.
//   Source: paper 004, 4.2, procedure stable, figure 9; here for any p
//   Needs:  any p
//   Cost:   rounds if(p == 2, 1, p); messages p*(p-1); volume p*(p-1); alpha rounds; beta rounds;
//           root <= longest; longest rounds*Tc; done if(i == rounds-1, p, if(i == p-2, 1, 0))
constexpr Generator alltoall_stable{"stable",    Operation::alltoall, stable_rounds, with_scratch,
                                    stable_emit, any_shape,           Operators::any};

// alltoall circle: rank 0 stands in a circle of the other ranks and exchanges blocks with one of
// them in each round. Ranks at equal distances from that one exchange with each other. With p odd
// the middle is empty and one rank is idle.
//   Source: round-robin tournament; paper 004, figure 8 as printed (its procedure pairwise is
//           another schedule)
//   Needs:  any p
//   Cost:   rounds p - 1 + mod(p, 2); messages p*(p-1); volume p*(p-1); alpha rounds; beta rounds;
//           root <= longest; longest rounds*Tc; done if(i == rounds-1, p, if(i == p-2, 1, 0))
constexpr Generator alltoall_circle =
    with_invariant({"circle", Operation::alltoall, circle_rounds, without_scratch, circle_emit,
                    any_shape, Operators::any, Parameter::none, "round_robin"},
                   {circle_held});

// alltoall direct: everybody sends each block to its rank at once, the next rank first.
//   Source: folklore (all sends and receives posted together)
//   Needs:  any p
//   Cost:   rounds 1; messages p*(p-1); volume p*(p-1); alpha p-1; beta p-1;
//           root (p-1)*Tc; longest (p-1)*Tc; done p
constexpr Generator alltoall_direct = with_ranks_alike(
    with_invariant({"direct", Operation::alltoall, direct_rounds, with_scratch, direct_emit,
                    any_shape, Operators::any, Parameter::none, "scattered"},
                   {direct_held}));

}  // namespace tutti::algorithms
