// SPDX-License-Identifier: BSD-3-Clause
// The largest power of two in p ranks does the work of all ranks. The other `folded` ranks, each
// the odd one of a pair at the low end, hand their part to the left neighbour before and get the
// result from it afterwards. Pairs are adjacent, so the order of the ranks is kept.
#pragma once

#include <bit>

namespace tutti::algorithms {

struct Fold {
  int cores;
  int folded;
  explicit Fold(int p)
      : cores(static_cast<int>(std::bit_floor(static_cast<unsigned>(p)))), folded(p - cores) {}
  bool is_pair(int rank) const { return rank < 2 * folded; }
  bool is_folded(int rank) const { return is_pair(rank) && rank % 2 == 1; }
  int core_of(int rank) const { return is_pair(rank) ? rank / 2 : rank - folded; }
  int rank_of(int core) const { return core < folded ? 2 * core : core + folded; }
};

}  // namespace tutti::algorithms
