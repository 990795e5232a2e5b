// SPDX-License-Identifier: BSD-3-Clause
// Random elements that any process can compute for itself.
#pragma once

#include <cstdint>

namespace matrix {

// Mixes the bits of a number (SplitMix64; Steele, Lea and Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

// A number from -0.5 to 0.5, which the seed and the place in the matrix determine.
constexpr double random_value(long seed, long row, long column) {
  const std::uint64_t place =
      static_cast<std::uint64_t>(row) << 32 ^ static_cast<std::uint64_t>(column);
  return static_cast<double>(mixed(mixed(static_cast<std::uint64_t>(seed)) ^ place) >> 11) *
             0x1p-53 -
         0.5;
}

}  // namespace matrix
