// SPDX-License-Identifier: BSD-3-Clause
// Measures what one processor needs for copies and combining, and what it takes to wake a sleeping
// thread.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace tutti::tools {

struct LocalPoint {
  std::size_t bytes = 0;
  double us = 0;  // time of the whole operation, median
  [[nodiscard]] double per_byte() const { return us / static_cast<double>(bytes); }
};

struct LocalCosts {
  std::vector<LocalPoint> copy;  // copies between two buffers that were used before
  // The library's kernel for a[i] += b[i] with doubles; `bytes` counts one operand.
  std::vector<LocalPoint> combine;
  // Time from the call that wakes a thread on a futex to the thread's first instruction, median.
  double wake_us = 0;
  int wakes = 0;
};

// Calls `step` after each of local_steps() parts.
[[nodiscard]] LocalCosts measure_local(int repeats, const std::function<void()>& step);
[[nodiscard]] int local_steps();

}  // namespace tutti::tools
