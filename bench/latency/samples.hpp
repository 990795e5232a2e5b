// SPDX-License-Identifier: BSD-3-Clause
// Holds pairs of times that were taken one right after the other, and summarizes them.
#pragma once

#include <string>
#include <vector>

namespace tutti::bench {

// One pair: the times of the library's operation and of the bare exchange, in microseconds, and the
// placement of the processors.
struct Sample {
  double ours_us;
  double bare_us;
  std::string placement;
};

struct Summary {
  // "all" stands for all pairs but the mixed ones; if there are hardly any others, for these too.
  std::string placement;
  int samples = 0;
  double ratio = 0;  // median of the pairs' ratios
  double median_us = 0, minimum_us = 0;
  double bare_us = 0, bare_minimum_us = 0;
};

struct Result {
  std::string operation;
  Summary all;
  std::vector<Summary> placements;  // those that occurred, the most frequent first
};

[[nodiscard]] Result summarize(const char* operation, const std::vector<Sample>& samples);

[[nodiscard]] std::string as_table(const std::vector<Result>& results);
[[nodiscard]] std::string as_json(const std::vector<Result>& results);

}  // namespace tutti::bench
