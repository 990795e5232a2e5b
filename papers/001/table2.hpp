// SPDX-License-Identifier: BSD-3-Clause
// Table 2 of paper 001: broadcast and sum-to-all on the 512 nodes of a Paragon. The times of the
// model stand beside the ratios that the paper prints. `tutti explain --table2` prints it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/profile.hpp"
#include "schedule/generator.hpp"
#include "selection/strategies.hpp"

namespace tutti::papers {

struct Priced {
  std::string strategy;
  selection::Terms terms;
  double time = 0;  // us
};

struct Table2Row {
  schedule::Operation operation;
  std::int64_t bytes;
  Priced shortest;    // trees in both dimensions
  Priced longest;     // the fastest long algorithms in both dimensions
  Priced one_factor;  // the best with at most one factor per dimension, which iCC R2.0 seems to
                      // have used
  Priced hybrid;      // the best of all
  double blacs;  // us: the trees with the BLACS' rates (blacs_alpha, blacs_beta, blacs_gamma of the
                 // profile)
  double printed;  // BLACS/iCC in the paper's table 2
};

// Throws Error(invalid_argument) for a profile without a mesh of two dimensions or without the
// BLACS' rates.
[[nodiscard]] std::vector<Table2Row> table2(const machine::Profile& machine);

}  // namespace tutti::papers
