// SPDX-License-Identifier: BSD-3-Clause
// The search of `tutti tune` for plans that are faster than those that are chosen without it: in
// turn in one job, and the promising ones in two more.
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
  std::vector<std::string> operations;  // as the bench names them
  std::vector<std::int64_t> sizes;      // of the whole vector
  std::vector<int> ranks;
  double seconds = 30;  // in all, if that is enough for the fewest turns of each case
};

// A decision for every operation, number of ranks and size. `present`: the rows that the file has
// now. `measured`: by which the model proposes plans. Throws base::Error as run_in_turn.
[[nodiscard]] std::vector<TunedPoint> compare_plans(
    const PlanSearch& search, const selection::Table& present, const machine::Profile& measured,
    const std::function<void(double, const std::string&)>& progress);

// What is compared with the plan that is chosen without a file: the best by the model, and those of
// the fewest rounds, which the model does not know to be good where processes share memory or
// processors.
[[nodiscard]] std::vector<std::string> proposed_plans(const selection::Question& question,
                                                      std::int64_t bytes,
                                                      const machine::Profile& measured);

}  // namespace tutti::tools
