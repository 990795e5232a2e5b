// SPDX-License-Identifier: BSD-3-Clause
// Time in whole picoseconds. Sums of whole numbers do not depend on their order, so equal durations
// end at the same instant.
#pragma once

#include <cstdint>

#include "base/error.hpp"

namespace tutti::simulate {

using Ticks = std::int64_t;

constexpr double ticks_per_microsecond = 1e6;
constexpr Ticks ticks_per_nanosecond = 1000;
// The longest time is 46 days; a sum of two such times still fits.
constexpr Ticks longest_time = 4'000'000'000'000'000'000;

[[nodiscard]] constexpr double microseconds(Ticks t) {
  return static_cast<double>(t) / ticks_per_microsecond;
}

[[nodiscard]] inline Ticks ticks(double microseconds) {
  const double t = microseconds * ticks_per_microsecond;
  if (!(t >= 0 && t < 1e18))
    base::fail(base::Status::invalid_argument, "a time of {} microseconds cannot be simulated",
               microseconds);
  // This is std::llround(t) without its call, because the part behind the point is exact.
  const auto whole = static_cast<Ticks>(t);
  return whole + (t - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

}  // namespace tutti::simulate
