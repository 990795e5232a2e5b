// SPDX-License-Identifier: BSD-3-Clause
// `tutti bench --choices`: what different choices of a plan take, measured in turn in one job.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/in_turn.hpp"
#include "bench/summary.hpp"
#include "selection/choose.hpp"

namespace tutti::tools {

// By whom a plan is chosen: `default` by the library without any file, `tuned` by the profile and
// the table in use, and the name of an algorithm by itself.
class Choices {
 public:
  // `profile`: in place of the one in use; empty: none. Throws base::Error for what is not
  // understood, and where `tuned` is wanted and there are no files.
  Choices(std::vector<std::string> names, const std::string& profile);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // The file that `tuned` goes by, empty if it is no choice.
  [[nodiscard]] const std::string& origin() const { return origin_; }
  // The plan of each choice; empty if one has none, and then `why` is a sentence that says so.
  [[nodiscard]] std::vector<std::string> plans_for(const BenchCell& cell, int ranks,
                                                   std::string& why);

 private:
  std::vector<std::string> names_;
  std::string origin_;
  selection::Chooser untuned_, tuned_;
};

// The plan that a chooser takes for the calls of a cell, by its name.
[[nodiscard]] std::string plan_chosen(selection::Chooser& chooser, const BenchCell& cell,
                                      int ranks);

struct ChoicePlace {
  std::string placement;
  std::vector<Figures> figures;  // of each choice
  std::vector<double> ratios;    // of each choice over the first, median of the pairs
};

struct ChoiceRow {
  BenchCell cell;
  std::vector<std::string> plans;  // of each choice
  std::vector<double> ratios;      // as above, of all turns; exactly 1 where the plan is the same
  std::vector<ChoicePlace> placements;
};

struct ChoiceReport {
  int ranks = 0;
  std::vector<std::string> names;
  std::string origin;
  std::vector<ChoiceRow> rows;
  std::vector<std::string> left_out;  // a sentence each
  std::string busy;                   // why the measurement was disturbed; empty if it was not
};

// Measures the cells. Throws base::Error as run_in_turn, and where a cell has more different plans
// than run in one job.
[[nodiscard]] ChoiceReport run_choices(
    Choices& choices, const std::vector<BenchCell>& cells, const TurnLimits& limits,
    const std::function<void(double, const std::string&)>& progress);

// The geometric mean of the rows' ratios: of each choice over the first; of one operation, or of
// all.
[[nodiscard]] std::vector<double> mean_ratios(const ChoiceReport& report,
                                              const std::string& operation = "");

}  // namespace tutti::tools
