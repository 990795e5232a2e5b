// SPDX-License-Identifier: BSD-3-Clause
// What one processor takes for copies and combining, and what waking a sleeper takes.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace tutti::tools {

struct LocalPoint {
  std::size_t bytes = 0;
  double us = 0;  // the whole operation, median
  [[nodiscard]] double per_byte() const { return us / static_cast<double>(bytes); }
};

struct LocalCosts {
  std::vector<LocalPoint> copy;  // between two buffers used before
  std::vector<LocalPoint>
      combine;  // a[i] += b[i] for doubles, by the library's kernel; bytes of one operand
  double wake_us =
      0;  // from the call that wakes a thread on a futex to its first instruction, median
  int wakes = 0;
};

// `step` is called after each of local_steps() parts.
[[nodiscard]] LocalCosts measure_local(int repeats, const std::function<void()>& step);
[[nodiscard]] int local_steps();

}  // namespace tutti::tools
