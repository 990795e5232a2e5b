// SPDX-License-Identifier: BSD-3-Clause
// Scans: rank r gets the combination of ranks 0..r (scan) or 0..r-1 (exscan), always in rank order.
#include <algorithm>

#include "algorithms/families.hpp"
#include "schedule/transforms.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

const Block input{Buffer::input, 0};
const Block output{Buffer::output, 0};

Buffers buffers(const Shape&) {
  return {1, 1, 0};
}

// Sends the prefix `mine` to the rank `distance` above and puts the prefix from the rank `distance`
// below before it. Only ranks from `first` on take part.
void shift_and_add(Round& out, const Shape& s, Int me, Int first, Int distance, const Block& mine) {
  if (me < first) return;
  if (me + distance < s.p) out.send({mine}, Rank{me + distance});
  if (me - distance >= first)
    out.receive_combine({output}, {remote(Rank{me - distance}), local({mine})});
}

// With one rank, one round copies input to output.
Int doubling_rounds(const Shape& s) {
  return std::max<Int>(1, ceil_log2(s.p));
}
void doubling_emit(Round& out, const Shape& s, Rank me, Int t) {
  shift_and_add(out, s, num(me), 0, 1 << t, t == 0 ? input : output);
  if (t == 0 && num(me) == 0) out.copy({output}, {input});
}

Int linear_rounds(const Shape& s) {
  return std::max<Int>(1, s.p - 1);
}
void linear_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank);
  if (me == t && me + 1 < s.p) out.send({me == 0 ? input : output}, Rank{me + 1});
  if (me == t + 1) out.receive_combine({output}, {remote(Rank{me - 1}), local({input})});
  if (me == 0 && t == 0) out.copy({output}, {input});
}

// Before round t > 0 a rank has the sum of the 2^t ranks that end with itself, or of all from rank
// 0.
Held doubled(const Shape&, Rank rank, Int t, Int) {
  const Int me = num(rank);
  if (t == 0) return held_sum(Buffer::input, 0, me, me + 1);
  return held_sum(Buffer::output, 0, std::max<Int>(0, me + 1 - (1 << t)), me + 1);
}
// Before round t the ranks up to t have their results.
Held added_up(const Shape&, Rank rank, Int t, Int) {
  const Int me = num(rank);
  if (me > t || t == 0) return held_sum(Buffer::input, 0, me, me + 1);
  return held_sum(Buffer::output, 0, 0, me + 1);
}

// First round of an exclusive scan: every input moves up one rank. An inclusive scan of all ranks
// but the first follows.
void shift_up(Round& out, const Shape& s, Int me) {
  if (me + 1 < s.p) out.send({input}, Rank{me + 1});
  if (me > 0) out.receive({output}, Rank{me - 1});
}

Int exclusive_doubling_rounds(const Shape& s) {
  return s.p == 1 ? 0 : 1 + ceil_log2(s.p - 1);
}
void exclusive_doubling_emit(Round& out, const Shape& s, Rank me, Int t) {
  if (t == 0) return shift_up(out, s, num(me));
  shift_and_add(out, s, num(me), 1, 1 << (t - 1), output);
}

Int exclusive_linear_rounds(const Shape& s) {
  return s.p - 1;
}
void exclusive_linear_emit(Round& out, const Shape& s, Rank rank, Int t) {
  const Int me = num(rank);
  if (t == 0) return shift_up(out, s, me);
  if (me == t) out.send({output}, Rank{me + 1});
  if (me == t + 1) out.receive_combine({output}, {remote(Rank{me - 1}), local({output})});
}

// These are one rank behind, and rank 0 has nothing after the first round.
Held exclusive_doubled(const Shape&, Rank rank, Int t, Int) {
  const Int me = num(rank);
  if (t == 0) return held_sum(Buffer::input, 0, me, me + 1);
  if (me == 0) return nothing_held();
  return held_sum(Buffer::output, 0, std::max<Int>(0, me - (1 << (t - 1))), me);
}
Held exclusive_added_up(const Shape&, Rank rank, Int t, Int) {
  const Int me = num(rank);
  if (t == 0) return held_sum(Buffer::input, 0, me, me + 1);
  if (me == 0) return nothing_held();
  return held_sum(Buffer::output, 0, me <= t ? Int{0} : me - 1, me);
}

}  // namespace

// scan doubling: in round t everybody sends its prefix to the rank 2^t above, which puts it before
// its own.
//   Source: Hillis, Steele, Data parallel algorithms, 1986
//   Needs:  any p
//   Cost:   rounds q; messages p*q - pow(2, q) + 1; volume messages; combines messages; alpha q;
//           beta q; gamma q; root <= longest; longest q*(Tc + To);
//           done min(p, max(0, pow(2, i+2) - p)); where q = ceil_log2(p)
constexpr Generator scan_doubling =
    with_invariant({"doubling", Operation::scan, doubling_rounds, buffers, doubling_emit, any_shape,
                    Operators::any, Parameter::none, "hillis_steele recursive_doubling"},
                   {doubled});

// scan linear: each rank adds its part to the prefix of the rank below and passes that on.
//   Source: folklore
//   Needs:  any p
//   Cost:   rounds p-1; messages p-1; volume p-1; combines p-1; alpha p-1; beta p-1; gamma p-1;
//           root <= longest; longest (p-1)*(Tc + To); done if(i == p-2, p, i+1)
constexpr Generator scan_linear = with_invariant(
    {"linear", Operation::scan, linear_rounds, buffers, linear_emit, any_shape, Operators::any},
    {added_up});

// scan chain: the vector is cut into segments, and the linear scans of the segments follow each
// other one round apart.
//   Source: folklore
//   Needs:  any p, segments >= 1
//   Cost:   rounds p+K-2; messages K*(p-1); volume K*(p-1); combines K*(p-1); alpha rounds;
//           beta rounds; gamma rounds; root <= longest; longest rounds*(Tc + To);
//           done if(i == rounds-1, p, max(0, i-K+2))
constexpr Generator scan_chain = pipelined<scan_linear>("chain");

// exscan doubling: everybody's input moves up one rank; a scan by doubling of all ranks but the
// first follows.
//   Source: folklore (shift, then scan)
//   Needs:  any p
//   Cost:   rounds 1 + q; messages (p-1)*(q+1) - pow(2, q) + 1; volume messages;
//           combines messages - p + 1; alpha rounds; beta rounds; gamma q; root <= longest;
//           longest rounds*Tc + q*To; done 1 + min(p-1, max(0, pow(2, i+1) - p + 1));
//           where q = ceil_log2(p-1)
constexpr Generator exscan_doubling = with_invariant(
    {"doubling", Operation::exscan, exclusive_doubling_rounds, buffers, exclusive_doubling_emit,
     any_shape, Operators::any, Parameter::none, "shift_scan"},
    {exclusive_doubled});

// exscan linear: every rank sends its input to the next rank; then, from rank 1 upwards, each rank
// sends its result to the next one, which puts it before what it has.
//   Source: folklore (shift, then scan)
//   Needs:  any p
//   Cost:   rounds p-1; messages 2*p-3; volume 2*p-3; combines p-2; alpha p-1; beta p-1; gamma p-2;
//           root <= longest; longest (p-1)*Tc + (p-2)*To; done if(i == p-2, p, i+1)
constexpr Generator exscan_linear =
    with_invariant({"linear", Operation::exscan, exclusive_linear_rounds, buffers,
                    exclusive_linear_emit, any_shape, Operators::any},
                   {exclusive_added_up});

}  // namespace tutti::algorithms
