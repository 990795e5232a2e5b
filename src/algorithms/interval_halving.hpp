// SPDX-License-Identifier: BSD-3-Clause
// The recursion behind minimum spanning trees, for mst.cpp and hybrid_steps.cpp. One member of an
// interval holds what all are to get. The interval is halved until every member is alone. There are
// ceil_log2(size) rounds, for every holder and size of the interval.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>

namespace tutti::algorithms {

// One halving of [low, high) at `middle`. `holder` serves the whole interval. It sends to `child`,
// the first member of the half without the holder, which then serves that half.
struct IntervalHalving {
  int low, middle, high;
  int holder, child;
  // The members of the half that `child` serves are [first(), last()).
  int first() const { return child == middle ? middle : low; }
  int last() const { return child == middle ? high : middle; }
};

// Returns how many of n members make up the left half, if `holder` members lie before the holder.
using LeftHalf = int (*)(int n, int holder);

// Makes halves as equal as possible, the larger one with the holder. This sends the least data if
// each member has a block of its own.
inline int balanced_half(int n, int holder) {
  return holder < (n + 1) / 2 ? (n + 1) / 2 : n / 2;
}
// Makes halves that are balanced after folding adjacent pairs until a power of two is left. A
// reduction then has the canonical tree (Expressions::canonical).
inline int folded_half(int n, int) {
  const int cores = static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
  return cores / 2 + std::min(n - cores, cores / 2);
}

// Returns the halving of round t that concerns member `me`, for n members and `holder`. Returns
// nothing if `me` was alone before that round.
inline std::optional<IntervalHalving> halving_of_round(int n, int holder, int me, int t,
                                                       LeftHalf left_half) {
  int low = 0, high = n;
  for (int k = 0; high - low > 1; ++k) {
    const int middle = low + left_half(high - low, holder - low);
    const int child = holder < middle ? middle : low;
    if (k == t) return IntervalHalving{low, middle, high, holder, child};
    const bool left = me < middle;
    holder = left == (holder < middle) ? holder : child;
    (left ? high : low) = middle;
  }
  return std::nullopt;
}

}  // namespace tutti::algorithms
