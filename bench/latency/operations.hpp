// SPDX-License-Identifier: BSD-3-Clause
// The operations of 8 bytes whose latency is measured, as loops over the library's calls.
#pragma once

#include <span>

namespace tutti::bench {

struct Measured {
  const char* name;
  // Does it `count` times as rank `rank` of two. False when a result is wrong or the library fails.
  bool (*repeat)(int rank, int count);
};

[[nodiscard]] std::span<const Measured> measured_operations();

}  // namespace tutti::bench
