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
void receive_block(Round& out, int from, Buffer into) {
  out.receive({{into, from}}, Rank{from});
}
// Copies the block from rank `waiting`, if there is one, from scratch to its place; in round 0 also
// copies the own block. These copies end a round, because receives behind them would wait for them,
// and so for the sends before them.
void finish_round(Round& out, int me, int t, int waiting) {
  if (waiting >= 0) out.copy({{Buffer::output, waiting}}, {{Buffer::scratch, waiting}});
  if (t == 0) out.copy({{Buffer::output, me}}, {{Buffer::input, me}});
}
constexpr int nothing_waits = -1;

int others(const Shape& s) {
  return std::max(1, s.p - 1);
}
// Rank `me` receives from all ranks below it in round me - 1 and from all ranks above it in round
// me.
void naive_emit(Round& out, const Shape& s, Rank rank, int t) {
  const int me = num(rank), to = t < me ? t : t + 1;
  if (s.p > 1) out.send({{Buffer::input, to}}, Rank{to});
  const int first = t == me ? me + 1 : 0, last = t == me ? s.p : t == me - 1 ? me : 0;
  for (int from = first; from < last; ++from)
    receive_block(out, from, from > me + 1 ? Buffer::scratch : Buffer::output);
  finish_round(out, me, t, to > me + 1 ? to : nothing_waits);
}

int stable_rounds(const Shape& s) {
  return s.p;
}
// A perfect shuffle: shuffled(r) is the rank to which rank r sends first, and unshuffled(r) is the
// rank that sends to rank r first.
int shuffled(int r, int p) {
  return mod(2 * r + (2 * r < p || p % 2 == 1 ? 1 : 0), p);
}
int unshuffled(int r, int p) {
  return r % 2 == 1 ? r / 2 : (r + p) / 2;
}

void stable_emit(Round& out, const Shape& s, Rank rank, int t) {
  const int me = num(rank), p = s.p;
  const int to = mod(shuffled(me, p) + t, p), from = unshuffled(mod(me - t, p), p);
  if (to == me) return finish_round(out, me, t, nothing_waits);
  out.send({{Buffer::input, to}}, Rank{to});
  receive_block(out, from, mod(from - shuffled(me, p), p) > t ? Buffer::scratch : Buffer::output);
  finish_round(out, me, t, mod(me - shuffled(to, p), p) < t ? to : nothing_waits);
}

int circle_rounds(const Shape& s) {
  return s.p - 1 + s.p % 2;
}
// Returns the partner of rank `me` in round k of a tournament, or -1 if it is idle. Seats 1 .. n
// stand in a circle, n odd, and seat 0 in the middle, where nobody sits if p is odd. Two seats of
// the circle meet if their sum is 2k modulo n; seat k meets the middle.
int partner_in_circle(int p, int me, int k) {
  const int n = p - 1 + p % 2, seat = me + p % 2;
  if (seat == 0) return k;
  const int other = 1 + mod(2 * k - seat - 1, n);
  return (other == seat ? 0 : other) - p % 2;
}

void circle_emit(Round& out, const Shape& s, Rank rank, int t) {
  const int me = num(rank), partner = partner_in_circle(s.p, me, t + 1);
  if (partner >= 0) {
    out.send({{Buffer::input, partner}}, Rank{partner});
    out.receive({{Buffer::output, partner}}, Rank{partner});
  }
  finish_round(out, me, t, nothing_waits);
}

// Receives go to memory from which nothing is sent. If a block arrived in the place of one that is
// still to be sent, its receive would have to wait for that send. In a circle of ranks with room
// for one message each, every rank could then send to the next and wait for the one before.
int direct_rounds(const Shape& s) {
  return s.p > 1 ? 2 : 1;
}
void direct_emit(Round& out, const Shape& s, Rank rank, int t) {
  const int me = num(rank), p = s.p;
  if (t == 1) return out.copy({{Buffer::output, 0, p}}, {{Buffer::scratch, 0, p}});
  for (int i = 1; i < p; ++i) out.send({{Buffer::input, mod(me + i, p)}}, Rank{mod(me + i, p)});
  for (int i = 1; i < p; ++i) receive_block(out, mod(me - i, p), Buffer::scratch);
  out.copy({{p > 1 ? Buffer::scratch : Buffer::output, me}}, {{Buffer::input, me}});
}

}  // namespace

// alltoall naive: everybody sends to rank 0, then to rank 1, and so on, leaving out itself.
//   Source: paper 004, 4, procedure naive, figure 6
//   Needs:  any p
//   Cost:   rounds p-1; messages p*(p-1); volume p*(p-1); alpha h*(3*h - 2 + 3*odd); beta alpha;
//           root <= longest; longest if(odd, h*(h + 3)*Tc, (h*h + 2*h - 2)*Tc + min(h-1, 1)*Ts);
//           done if(i == p-2, p, 0);
//           where h = floor_div(p, 2); odd = mod(p, 2)
constexpr Generator alltoall_naive{"naive",    Operation::alltoall, others,        with_scratch,
                                   naive_emit, any_shape,           Operators::any};

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
constexpr Generator alltoall_circle{"circle",        Operation::alltoall, circle_rounds,
                                    without_scratch, circle_emit,         any_shape,
                                    Operators::any,  Parameter::none,     "round_robin"};

// alltoall direct: everybody sends each block to its rank at once, the next rank first.
//   Source: folklore (all sends and receives posted together)
//   Needs:  any p
//   Cost:   rounds 1; messages p*(p-1); volume p*(p-1); alpha p-1; beta p-1;
//           root (p-1)*Tc; longest (p-1)*Tc; done p
constexpr Generator alltoall_direct{"direct",       Operation::alltoall, direct_rounds,
                                    with_scratch,   direct_emit,         any_shape,
                                    Operators::any, Parameter::none,     "scattered"};

}  // namespace tutti::algorithms
