// SPDX-License-Identifier: BSD-3-Clause
// Tests of what our BLACS add to BLACS 1.1 and 1.0. Each function tests one addition on one grid.
// additions.hpp, which belongs to the BLACS under test, has the names of the additions.
#pragma once

#include <type_traits>

#include "harness.hpp"
#include "names.hpp"

namespace conformance {

[[nodiscard]] inline Place place_of(const Grid& grid, int rank) {
  return {rank / grid.columns, rank % grid.columns};
}

// Returns the rank of a place; -1 if it is outside of the grid.
[[nodiscard]] inline int rank_of(const Grid& grid, Place at) {
  const bool inside =
      at.row >= 0 && at.row < grid.rows && at.column >= 0 && at.column < grid.columns;
  return inside ? at.row * grid.columns + at.column : -1;
}

// The element type of the prototypes.
template <class T>
using Raw = std::remove_pointer_t<decltype(Names<T>::raw(nullptr))>;

// Functions of the user that get the number of elements by reference.
template <class ByValue, class N, class S>
struct ByReference {
  static void initialise(N* n, S* x) { ByValue::initialise(*n, x); }
  static void combine(N* n, S* x, S* y) { ByValue::combine(*n, x, y); }
  static void finish(N* n, S* x) { ByValue::finish(*n, x); }
};

// Says what has started the processes. Those of `tutti run` share memory, so that after a barrier
// all messages have come that were sent before it.
enum class Launcher { none, tutti, mpi };

void anybody_cases(const Grid& grid, Launcher launcher, Tally& tally);
void user_combine_cases(const Grid& grid, Tally& tally);
void list_cases(const Grid& grid, Tally& tally);
// Tests what only one of the two BLACS has.
void own_cases(const Grid& grid, Launcher launcher, Tally& tally);

}  // namespace conformance

#include "additions.hpp"
