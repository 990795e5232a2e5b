// SPDX-License-Identifier: BSD-3-Clause
// Digests of results, for Program::digest().
#pragma once

#include <bit>
#include <cstdint>

#include "programs.hpp"
#include "rows.hpp"

namespace exchange {

// The contribution of a value at a place of the whole result.
inline std::uint64_t digest_of(std::uint64_t place, double value) {
  return mixed(mixed(place) ^ std::bit_cast<std::uint64_t>(value));
}
inline std::uint64_t digest_of(const Matrix<double>& matrix) {
  std::uint64_t total = 0;
  const std::size_t before = matrix.rows.first * matrix.rows.size;
  for (std::size_t i = 0; i < matrix.values.size(); ++i)
    total += digest_of(before + i, matrix.values[i]);
  return total;
}

}  // namespace exchange
