// SPDX-License-Identifier: BSD-3-Clause
// Random elements that any process can compute for itself.
#pragma once

#include <cstdint>

#include "numbers.hpp"

namespace matrix {

// A number from -0.5 to 0.5, which the seed and the place in the matrix determine.
constexpr double random_value(long seed, long row, long column) {
  const std::uint64_t place =
      static_cast<std::uint64_t>(row) << 32 ^ static_cast<std::uint64_t>(column);
  return static_cast<double>(
             support::mixed(support::mixed(static_cast<std::uint64_t>(seed)) ^ place) >> 11) *
             0x1p-53 -
         0.5;
}

}  // namespace matrix
