// SPDX-License-Identifier: BSD-3-Clause
// Time as whole picoseconds. Sums of whole numbers do not depend on their order, so what takes as
// long ends at the same instant: ties are ties, however they came about.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/error.hpp"

namespace tutti::simulate {

using Ticks = std::int64_t;

constexpr double ticks_per_microsecond = 1e6;
// 46 days. Sums of two such times still fit.
constexpr Ticks longest_time = 4'000'000'000'000'000'000;

[[nodiscard]] constexpr double microseconds(Ticks t) {
  return static_cast<double>(t) / ticks_per_microsecond;
}

[[nodiscard]] inline Ticks ticks(double microseconds) {
  const double t = microseconds * ticks_per_microsecond;
  if (!(t >= 0 && t < 1e18))
    base::fail(base::Status::invalid_argument, "a time of {} microseconds cannot be simulated",
               microseconds);
  return std::llround(t);
}

}  // namespace tutti::simulate
