// SPDX-License-Identifier: BSD-3-Clause
// Measures several plans in one job of the driver and compares their times.
#include "bench/in_turn.hpp"

#include <algorithm>
#include <cmath>

#include "driver/line_time.h"

namespace tutti::tools {
namespace {

// Returns the smallest value such that at least `part` of the values are not above it.
double quantile(const std::vector<double>& sorted, double part) {
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace

void run_in_turn(std::vector<InTurn>& cells, const TurnLimits& limits,
                 const std::function<void(double, const std::string&)>& progress) {
  BenchPlan plan;
  plan.ranks = limits.ranks;
  plan.seconds = limits.seconds;
  plan.rounds = limits.rounds;
  plan.sample_us = limits.block_us;
  plan.root = limits.root;
  for (const InTurn& cell : cells) {
    plan.cells.push_back(cell.cell);
    plan.plans[cell.cell] = cell.plans;
  }
  if (plan.cells.empty()) return;
  Library measured = run_bench(plan, progress).at("tutti");
  for (InTurn& cell : cells) cell.turns = std::move(measured.at(cell.cell).turns);
}

Ratio ratio_of(const std::vector<Turn>& turns, std::size_t plan, std::size_t over,
               const std::string& placement) {
  std::vector<double> ratios;
  for (const Turn& turn : turns) {
    if (placement.empty() || turn.placement == placement)
      ratios.push_back(turn.us[plan] / turn.us[over]);
  }
  if (ratios.empty()) return {};
  std::sort(ratios.begin(), ratios.end());
  return {static_cast<int>(ratios.size()), quantile(ratios, 0.5), quantile(ratios, 0.25),
          quantile(ratios, 0.75)};
}

std::vector<std::string> placements_in(const std::vector<Turn>& turns) {
  std::vector<std::string> names(std::begin(tutti_bench_placements),
                                 std::end(tutti_bench_placements));
  names.insert(names.end(), {"mixed", "alone"});
  std::erase_if(names, [&](const std::string& name) {
    return std::none_of(turns.begin(), turns.end(),
                        [&](const Turn& turn) { return turn.placement == name; });
  });
  return names;
}

}  // namespace tutti::tools
