// SPDX-License-Identifier: BSD-3-Clause
// The 8-byte operations whose latency is measured, as loops over the library's calls.
#pragma once

#include <span>

namespace tutti::bench {

struct Measured {
  const char* name;
  // Runs the operation `count` times as rank `rank` of two. Returns false if a result is wrong or
  // the library fails.
  bool (*repeat)(int rank, int count);
};

[[nodiscard]] std::span<const Measured> measured_operations();

}  // namespace tutti::bench
