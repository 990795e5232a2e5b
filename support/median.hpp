// SPDX-License-Identifier: BSD-3-Clause
// The median of numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tutti::tools {

// Returns the mean of the two in the middle if the count is even. `values` must not be empty.
[[nodiscard]] inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace tutti::tools
