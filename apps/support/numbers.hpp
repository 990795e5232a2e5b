// SPDX-License-Identifier: BSD-3-Clause
// Small computations that several applications need.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace support {

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Returns the mean of the values between the quartiles. Unlike a median it is near the mean of a
// sum of such values, and unlike a mean it does not follow a few that others have disturbed.
inline double middle_mean(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t quarter = values.size() / 4;
  double sum = 0;
  for (std::size_t i = quarter; i < values.size() - quarter; ++i) sum += values[i];
  return sum / static_cast<double>(values.size() - 2 * quarter);
}

// The rows of the grid of processes that is as square as possible, with no more rows than columns.
inline int squarest_rows(int processes) {
  int rows = static_cast<int>(std::sqrt(processes));
  while (processes % rows != 0) --rows;
  return rows;
}

// Mixes the bits of a number, so that equal and neighbouring numbers have very different results
// (SplitMix64; Steele, Lea and Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

}  // namespace support
