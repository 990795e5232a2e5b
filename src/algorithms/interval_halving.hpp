// SPDX-License-Identifier: BSD-3-Clause
// The recursion behind minimum spanning trees. An interval of members, one of which holds what all
// are to get, is halved until every member is alone. Each holder and size of the interval take
// ceil_log2(size) rounds.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>

namespace tutti::algorithms {

// One halving: `holder` serves [low, high); `child` is the first member of the half without the
// holder and serves that.
struct IntervalHalving {
  int low, middle, high;
  int holder, child;
  // The half of the child.
  int first() const { return child == middle ? middle : low; }
  int last() const { return child == middle ? high : middle; }
};

// How many of n members make the left half, if `holder` of them lie before the holder.
using LeftHalf = int (*)(int n, int holder);

// Halves an interval as equally as possible and gives the larger half to the holder. That moves the
// least data when each member has a block of its own.
inline int balanced_half(int n, int holder) {
  return holder < (n + 1) / 2 ? (n + 1) / 2 : n / 2;
}
// Balanced after folding adjacent pairs until a power of two is left: a reduction then has the tree
// of reference.
inline int folded_half(int n, int) {
  const int cores = static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
  return cores / 2 + std::min(n - cores, cores / 2);
}

// The halving of round t, for n members and `holder`, that concerns `me`; none if I was alone
// before.
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
