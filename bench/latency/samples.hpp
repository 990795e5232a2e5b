// SPDX-License-Identifier: BSD-3-Clause
// Pairs of times taken one right after the other, and what they come to.
#pragma once

#include <string>
#include <vector>

namespace tutti::bench {

// One pair: the library's operation and the bare exchange, microseconds each, and where the
// processors were.
struct Sample {
  double ours_us;
  double bare_us;
  std::string placement;
};

struct Summary {
  std::string placement;  // "all": all pairs but the mixed ones, or these too when there is hardly
                          // anything else
  int samples = 0;
  double ratio = 0;  // median of the pairs' ratios
  double median_us = 0, minimum_us = 0;
  double bare_us = 0, bare_minimum_us = 0;
};

struct Result {
  std::string operation;
  Summary all;
  std::vector<Summary> placements;  // those that occurred, most frequent first
};

[[nodiscard]] Result summarize(const char* operation, const std::vector<Sample>& samples);

[[nodiscard]] std::string as_table(const std::vector<Result>& results);
[[nodiscard]] std::string as_json(const std::vector<Result>& results);

}  // namespace tutti::bench
