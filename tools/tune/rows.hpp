// SPDX-License-Identifier: BSD-3-Clause
// The rows of plans in a profile: what becomes of them after `tutti tune` has compared plans at
// some points.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "selection/table.hpp"
#include "tune/decide.hpp"

namespace tutti::tools {

// An operation, a number of ranks and a size at which plans were compared.
struct TunedPoint {
  schedule::Operation operation{};
  int ranks = 0;
  std::int64_t bytes = 0;  // of the whole vector
  std::string untuned;     // the plan that is chosen without any file
  std::string present;     // the plan that the rows of the file lead to
  Decision decision;
};

struct TunedTable {
  std::string text;                  // the rows as TOML
  std::vector<std::string> changes;  // a line for each row that comes or goes, with the reason
};

// Rows that serve none of the points stay, and so do those whose plan was decided for at all points
// that they serve. Other rows go. A point whose plan is not the untuned one then gets a row, unless
// one that stays names the plan; such rows are for the point's number of ranks and the class of its
// size, and come first.
[[nodiscard]] TunedTable tuned_table(const selection::Table& present,
                                     const std::vector<TunedPoint>& points);

}  // namespace tutti::tools
