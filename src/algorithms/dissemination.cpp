// SPDX-License-Identifier: BSD-3-Clause
// The dissemination barrier, in which knowledge of arrivals spreads at doubling distances.
#include "algorithms/families.hpp"

namespace tutti::algorithms {
namespace {

using namespace schedule;

int rounds(const Shape& s) {
  return ceil_log2(s.p);
}
Buffers buffers(const Shape&) {
  return {};
}

void emit(Round& out, const Shape& s, Rank me, int t) {
  const int distance = 1 << t;
  out.send(Blocks{}, Rank{mod(num(me) + distance, s.p)});
  out.receive(Blocks{}, Rank{mod(num(me) - distance, s.p)});
}

}  // namespace

// barrier dissemination: in round t every rank tells the rank 2^t above, cyclically, which ranks it
// knows to have arrived.
//   Source: Hensgen, Finkel, Manber, Two algorithms for barrier synchronization, 1988
//   Needs:  any p
//   Cost:   rounds ceil_log2(p); messages p*ceil_log2(p); alpha ceil_log2(p);
//           root longest; longest ceil_log2(p)*Tc; done if(i == rounds-1, p, 0)
constexpr Generator barrier_dissemination{
    "dissemination", Operation::barrier, rounds, buffers, emit, any_shape, Operators::any};

}  // namespace tutti::algorithms
