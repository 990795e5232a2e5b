// SPDX-License-Identifier: BSD-3-Clause
// The dissemination barrier, in which knowledge of arrivals spreads at doubling distances.
#include "algorithms/families.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

Int rounds(const Shape& s) {
  return ceil_log2(s.p);
}
Buffers buffers(const Shape&) {
  return {};
}

void emit(Round& out, const Shape& s, Rank me, Int t) {
  const Int distance = 1 << t;
  out.send(Blocks{}, Rank{mod(num(me) + distance, s.p)});
  out.receive(Blocks{}, Rank{mod(num(me) - distance, s.p)});
}

// Before round t a rank has heard of the 2^t ranks that end with itself, cyclically.
Held heard(const Shape& s, Rank me, Int t, Int other) {
  return mod(num(me) - other, s.p) < (1 << t) ? held(Buffer::output, 0) : nothing_held();
}

}  // namespace

// barrier dissemination: in round t every rank tells the rank 2^t above, cyclically, which ranks it
// knows to have arrived.
//   Source: Hensgen, Finkel, Manber, Two algorithms for barrier synchronization, 1988
//   Needs:  any p
//   Cost:   rounds ceil_log2(p); messages p*ceil_log2(p); alpha ceil_log2(p);
//           root longest; longest ceil_log2(p)*Tc; done if(i == rounds-1, p, 0)
constexpr Generator barrier_dissemination = with_ranks_alike(with_invariant(
    {"dissemination", Operation::barrier, rounds, buffers, emit, any_shape, Operators::any},
    {heard}));

}  // namespace tutti::algorithms
