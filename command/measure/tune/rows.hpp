// SPDX-License-Identifier: BSD-3-Clause
// Updates the rows of plans in a profile after `tutti tune` has compared plans at some points.
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
  std::int64_t bytes = 0;  // length of the whole vector
  std::string untuned;     // the plan that is chosen without any file
  std::string present;     // the plan that the rows of the file select
  Decision decision;
};

struct TunedTable {
  std::string text;  // the rows as TOML
  // One line with the reason for each row that is added or removed.
  std::vector<std::string> changes;
};

// Returns rows as TOML.
[[nodiscard]] std::string toml_of(const selection::TableRow& row);
[[nodiscard]] std::string toml_of(const selection::MpiRow& row);
// Returns a range of numbers of processes in words, such as "2 to 16 processes".
[[nodiscard]] std::string ranks_text(const selection::Range& range);

// Returns the ratios of several jobs, such as "0.71 and 0.75".
[[nodiscard]] std::string ratios_text(const std::vector<double>& ratios);

// Returns true if a row serves the point, whichever plan it names.
[[nodiscard]] bool has_row_for(const selection::Table& present, const TunedPoint& point);

// Keeps rows that serve none of the points, and rows whose plan was decided for at all points that
// they serve. Removes the others. Then adds a row for each point whose plan is neither the untuned
// one nor named by a row that stays. New rows are for the point's number of ranks and its size
// class, and come first. They serve as many processors as `now` has, and get its date. Rows that
// are for programs of an MPI stay as they are.
[[nodiscard]] TunedTable tuned_table(const selection::Table& present,
                                     const std::vector<TunedPoint>& points,
                                     const selection::RowOrigin& now = {});

}  // namespace tutti::tools
