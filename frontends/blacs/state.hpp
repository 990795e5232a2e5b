// SPDX-License-Identifier: BSD-3-Clause
// BLACS 1.1 remember between calls contexts, which the C and Fortran names have in common, and
// system handles. The code in common/ has a state of its own.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "grid.hpp"

namespace tutti::blacs {

// A system handle names an ordered list of processes. All processes have no entry here.
struct BlacsState {
  std::vector<std::unique_ptr<Grid>> contexts;
  std::set<int> free_contexts;  // indices of empty entries of `contexts`
  std::vector<std::unique_ptr<std::vector<int>>> systems;
};

[[nodiscard]] BlacsState& state();

// Returns nullptr if the context was never made or has been exited.
[[nodiscard]] Grid* find_grid(int context);

}  // namespace tutti::blacs
