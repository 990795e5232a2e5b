// SPDX-License-Identifier: BSD-3-Clause
// Searches for plans that are faster than those that are chosen without `tutti tune`, and asks
// whether rates that were fitted here choose better. The plans run in turn in one job, and those
// that decide something in two more.
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

struct ComparedPlans {
  std::vector<TunedPoint> points;
  RatesVerdict rates;
};

// Returns the contest at the point if the rates that were fitted here choose where no row of the
// file serves. A row may also name the plan that is chosen without it.
[[nodiscard]] Contest contest_by_rates(Contest contest, const selection::Table& present,
                                       const TunedPoint& point);

// Returns a decision for every operation, number of ranks and size, and for the rates. `present`
// has the rows that the file has now. `measured` is a profile with the rates that were fitted here.
// Throws base::Error as run_in_turn does.
[[nodiscard]] ComparedPlans compare_plans(
    const PlanSearch& search, const selection::Table& present, const machine::Profile& measured,
    const std::function<void(double, const std::string&)>& progress);

// Returns plans to compare with those that are chosen: the cheapest in shared memory, and the best
// by the model of alpha, beta and gamma, which knows plans with settings, too.
[[nodiscard]] std::vector<std::string> proposed_plans(const selection::Question& question,
                                                      std::int64_t bytes,
                                                      const machine::Profile& measured);

}  // namespace tutti::tools
