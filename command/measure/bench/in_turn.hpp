// SPDX-License-Identifier: BSD-3-Clause
// Runs several plans of one operation in turn in one job. Two jobs on one machine differ by more
// than two plans do, so only times from the same job, taken one right after the other, are
// compared.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/runs.hpp"

namespace tutti::tools {

struct InTurn {
  BenchCell cell;
  std::vector<std::string> plans;  // all different
  std::vector<Turn> turns;         // each has a time for every plan
};

struct TurnLimits {
  int ranks = 2;
  // No turn begins later than this, except the first `rounds` turns of each cell.
  double seconds = 10;
  int rounds = 1;         // turns that each cell gets in any case
  double block_us = 500;  // how long one plan runs before the next one does
  int root = BenchPlan::each_in_turn;
};

// Runs one job that fills in the turns of all cells, after it has verified the results. `progress`
// gets the part that is done, 0 to 1, and a text that says what is running. Throws base::Error if
// the job fails or a result is wrong.
void run_in_turn(std::vector<InTurn>& cells, const TurnLimits& limits,
                 const std::function<void(double, const std::string&)>& progress);

// Ratio of the times of two plans, from pairs of times of the same turn.
struct Ratio {
  int pairs = 0;
  double median = 1;
  double lower = 1, upper = 1;  // quartiles
};
// Compares plan `plan` with plan `over` in the turns of `placement`, or in all turns if it is
// empty.
[[nodiscard]] Ratio ratio_of(const std::vector<Turn>& turns, std::size_t plan, std::size_t over,
                             const std::string& placement = "");
// Lists the placements of the turns, the nearest processors first; mixed and alone come last.
[[nodiscard]] std::vector<std::string> placements_in(const std::vector<Turn>& turns);

}  // namespace tutti::tools
