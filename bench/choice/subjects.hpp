// SPDX-License-Identifier: BSD-3-Clause
// Declares the measurements of bench_choice.
#pragma once

#include <string>
#include <vector>

namespace tutti::bench {

struct Figures {
  std::string name;
  double median_ns = 0, minimum_ns = 0;  // for one choice, or one micro-operation
  int goal_ns = 0;
};

// Checks every result before it is timed. Throws std::runtime_error if one is wrong.
[[nodiscard]] std::vector<Figures> measure_all(int series, int runs);

}  // namespace tutti::bench
