// SPDX-License-Identifier: BSD-3-Clause
// Searches for plans that are faster than those that are chosen without `tutti tune`. The plans run
// in turn in one job, and the promising ones in two more.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "machine/profile.hpp"
#include "selection/alternatives.hpp"
#include "selection/table.hpp"
#include "tune/rows.hpp"

namespace tutti::tools {

struct PlanSearch {
  std::vector<std::string> operations;  // names that the bench uses
  std::vector<std::int64_t> sizes;      // bytes of the whole vector
  std::vector<int> ranks;
  double seconds = 30;  // time limit, if it is enough for the fewest turns of each case
};

// Returns a decision for every operation, number of ranks and size. `present` has the rows that the
// file has now; the model uses `measured` to propose plans. Throws base::Error as run_in_turn does.
[[nodiscard]] std::vector<TunedPoint> compare_plans(
    const PlanSearch& search, const selection::Table& present, const machine::Profile& measured,
    const std::function<void(double, const std::string&)>& progress);

// Returns the plans to compare with the one that is chosen without a file: the best by the model,
// and those with the fewest rounds. The model does not know that few rounds are good if processes
// share memory or processors.
[[nodiscard]] std::vector<std::string> proposed_plans(const selection::Question& question,
                                                      std::int64_t bytes,
                                                      const machine::Profile& measured);

}  // namespace tutti::tools
