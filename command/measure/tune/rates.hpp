// SPDX-License-Identifier: BSD-3-Clause
// Fits the rates of the price in shared memory (selection/host_price.hpp) to plans that ran in
// turn. It fits ratios, because the same plan in two jobs differs by more than two plans in one
// job.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "schedule/generator.hpp"
#include "selection/host_ranking.hpp"

namespace tutti::tools {

// A plan with what its price counts, and its measured time.
struct RatedPlan {
  schedule::HostCounts counts;
  double block_bytes = 0;
  double us = 0;
};

// Plans of one operation that ran in turn in one job.
struct RatedCell {
  selection::HostPlace place;
  std::vector<RatedPlan> plans;
};

struct RateFit {
  selection::HostRates rates;
  int cells = 0, plans = 0;
  // Errors of the ratio of a plan to the best one of its cell, as factors of at least 1.
  double median_error = 1, p90_error = 1;
};

// Returns the rates whose prices have the ratios of the times, as far as that is possible. A rate
// that no cell determines stays that of `start`. Slow plans count less than good ones. The times of
// the best plans count a little, too, so that prices are near to times.
[[nodiscard]] RateFit fit_rates(std::span<const RatedCell> cells,
                                const selection::HostRates& start);

// Returns up to `most` candidates for ranks of one host that differ much in price, the cheapest one
// included.
[[nodiscard]] std::vector<selection::HostPlan> spread_plans(selection::HostRanking& ranking,
                                                            const selection::Question& question,
                                                            std::int64_t bytes, std::size_t most);

// Measures twelve cells, with numbers of ranks up to eight for each processor, for about so long.
// Throws base::Error as run_in_turn does.
[[nodiscard]] std::vector<RatedCell> measure_rated_cells(
    double seconds, const std::function<void(double, const std::string&)>& progress);

// Returns the table [shared_memory] of a profile.
[[nodiscard]] std::string rates_toml(const RateFit& fit, const std::string& date);

}  // namespace tutti::tools
