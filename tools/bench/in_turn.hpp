// SPDX-License-Identifier: BSD-3-Clause
// Plans of one operation that run in turn in one job. Jobs on one machine differ by more than plans
// do, so only times from the same job, taken one right after the other, can be compared.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/runs.hpp"

namespace tutti::tools {

struct InTurn {
  BenchCell cell;
  std::vector<std::string> plans;  // all different
  std::vector<Turn> turns;         // each with a time for every plan
};

struct TurnLimits {
  int ranks = 2;
  double seconds = 10;    // no turn is begun later, apart from the first ones of each cell:
  int rounds = 1;         // so many
  double block_us = 500;  // how long one plan runs before the next one does
  int root = BenchPlan::each_in_turn;
};

// Fills in the turns of all cells, by one job; results are verified first. `progress` gets the part
// that is done, 0 to 1, and what is being done. Throws base::Error if the job fails or a result is
// wrong.
void run_in_turn(std::vector<InTurn>& cells, const TurnLimits& limits,
                 const std::function<void(double, const std::string&)>& progress);

// The time of one plan over that of another, from pairs of times of the same turn.
struct Ratio {
  int pairs = 0;
  double median = 1;
  double lower = 1, upper = 1;  // quartiles
};
// Of the turns in that placement, or of all.
[[nodiscard]] Ratio ratio_of(const std::vector<Turn>& turns, std::size_t plan, std::size_t over,
                             const std::string& placement = "");
// The placements of the turns, the nearest first; mixed and alone at the end.
[[nodiscard]] std::vector<std::string> placements_in(const std::vector<Turn>& turns);

}  // namespace tutti::tools
