// SPDX-License-Identifier: BSD-3-Clause
// A chart of link usage, as paper 004 draws it: a row for each pair of ranks, a column for each
// directed link, and in a cell the step in which the message of the row is on the link.
#pragma once

#include <string>
#include <vector>

#include "traffic/message.hpp"

namespace tutti::draw {

// usage: cells have an x (figure 5). schedule: cells have the steps (figures 6, 7, 9).
enum class Marks { usage, schedule };

// A chart as data, from which text and SVG are made. Rows are in groups, one group per source. A
// row with both directions (figure 8) stands for two messages.
struct Chart {
  struct Row {
    std::string label;
    std::vector<int> links;  // used links, as Topology::index
    int step = 0;
  };
  struct Group {
    std::vector<Row> rows;
    int first_node = 0;  // columns beside these rows: the links of these nodes
    int last_node = 0;
  };
  // Lists of groups that stand side by side, from left to right: one list, or two if no message
  // from either half of the nodes uses a link of the other half.
  std::vector<std::vector<Group>> halves;
  bool exchanges = false;
  Marks marks = Marks::schedule;
  int steps = 0;
};

// The messages have routes. Rows are exchanges if every message has its opposite in the same step.
[[nodiscard]] Chart chart_of(const traffic::Messages& messages, const machine::Topology& topology,
                             Marks marks);

[[nodiscard]] std::string to_text(const Chart& chart, const machine::Topology& topology);

// Returns a step in as few characters as the chart allows: 1 to 9 and then a = 10 to w = 32 if the
// chart has at most 32 steps, else decimal. Step 0 gives dots.
[[nodiscard]] std::string cell_text(const Chart& chart, int step);

}  // namespace tutti::draw
