// SPDX-License-Identifier: BSD-3-Clause
// How algorithms that need a power of two of ranks serve any p; exchange.cpp and halving.cpp use
// it. The largest power of two in p is the number of `cores`, which do the work of all. The other
// `folded` ranks are the odd ones of the first pairs of neighbours. A folded rank hands its part to
// its left neighbour before the work and gets the result from it afterwards. The pairs are
// adjacent, so the order of the ranks is kept.
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
