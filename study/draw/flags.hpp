// SPDX-License-Identifier: BSD-3-Clause
// Words above a plot, each beside an upright line that leads to its place. Rows are numbered from
// the plot upwards.
#pragma once

#include <string>
#include <vector>

namespace tutti::draw {

struct Flag {
  double x;  // of the line
  std::string words;
  int row = 0;
  bool to_the_left = false;  // the words end at the line instead of beginning there
};

// Chooses rows and sides so that no words meet other words or lines, and none passes the right
// edge.
[[nodiscard]] std::vector<Flag> set_up(std::vector<Flag> flags, double letters, double edge);
// Returns the number of rows.
[[nodiscard]] int rows_of(const std::vector<Flag>& flags);

}  // namespace tutti::draw
