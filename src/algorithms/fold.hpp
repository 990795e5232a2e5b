// SPDX-License-Identifier: BSD-3-Clause
// How algorithms that need a power of two of ranks serve any p; exchange.cpp and halving.cpp use
// it. The largest power of two in p is the number of `cores`, which do the work of all. The other
// `folded` ranks are the odd ones of the first pairs of neighbours. A folded rank hands its part to
// its left neighbour before the work and gets the result from it afterwards. The pairs are
// adjacent, so the order of the ranks is kept.
#pragma once

#include "schedule/int.hpp"

namespace tutti::algorithms {

struct Fold {
  schedule::Int cores;
  schedule::Int folded;
  explicit Fold(schedule::Int p) : cores(schedule::bit_floor(p)), folded(p - cores) {}
  schedule::Truth is_pair(schedule::Int rank) const { return rank < 2 * folded; }
  schedule::Truth is_folded(schedule::Int rank) const { return is_pair(rank) && rank % 2 == 1; }
  schedule::Int core_of(schedule::Int rank) const {
    return is_pair(rank) ? rank / 2 : rank - folded;
  }
  schedule::Int rank_of(schedule::Int core) const {
    return core < folded ? 2 * core : core + folded;
  }
};

}  // namespace tutti::algorithms
