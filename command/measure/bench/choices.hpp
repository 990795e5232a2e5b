// SPDX-License-Identifier: BSD-3-Clause
// Declares `tutti bench --choices`, which measures plans chosen in different ways, in turn in one
// job.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/in_turn.hpp"
#include "bench/summary.hpp"
#include "selection/choose.hpp"

namespace tutti::tools {

// Maps each named choice to a plan. `default` is the library's choice without any file, `tuned` its
// choice by the profile and the table in use, and an algorithm's name is that algorithm.
class Choices {
 public:
  // `profile` replaces the profile in use; empty means no replacement. Throws base::Error if a name
  // is not understood, or if `tuned` is wanted and there are no files.
  Choices(std::vector<std::string> names, const std::string& profile);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // Returns the file that `tuned` uses, or an empty text if `tuned` is no choice.
  [[nodiscard]] const std::string& origin() const { return origin_; }
  // Returns the plan of each choice. If a choice has no plan, returns nothing and `why` is a
  // sentence that says so.
  [[nodiscard]] std::vector<std::string> plans_for(const BenchCell& cell, int ranks,
                                                   std::string& why);

 private:
  std::vector<std::string> names_;
  std::string origin_;
  selection::Chooser untuned_, tuned_;
};

// Returns the name of the plan that a chooser takes for the calls of a cell.
[[nodiscard]] std::string plan_chosen(selection::Chooser& chooser, const BenchCell& cell,
                                      int ranks);

struct ChoicePlace {
  std::string placement;
  std::vector<Figures> figures;  // one for each choice
  std::vector<double> ratios;    // time of each choice over the first's, median of the pairs
};

struct ChoiceRow {
  BenchCell cell;
  std::vector<std::string> plans;  // one for each choice
  // Like ChoicePlace::ratios, over all turns; exactly 1 if both plans are the same.
  std::vector<double> ratios;
  std::vector<ChoicePlace> placements;
};

struct ChoiceReport {
  int ranks = 0;
  std::vector<std::string> names;
  std::string origin;
  std::vector<ChoiceRow> rows;
  std::vector<std::string> left_out;  // one sentence for each
  std::string busy;                   // why the measurement was disturbed; empty if it was not
};

// Measures the cells. Throws base::Error as run_in_turn does, and if a cell has more different
// plans than can run in one job.
[[nodiscard]] ChoiceReport run_choices(
    Choices& choices, const std::vector<BenchCell>& cells, const TurnLimits& limits,
    const std::function<void(double, const std::string&)>& progress);

// Returns for each choice the geometric mean of its ratios over the first choice, for the rows of
// one operation, or for all rows if `operation` is empty.
[[nodiscard]] std::vector<double> mean_ratios(const ChoiceReport& report,
                                              const std::string& operation = "");

}  // namespace tutti::tools
