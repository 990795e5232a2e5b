// SPDX-License-Identifier: BSD-3-Clause
#include "standard.hpp"

#include <algorithm>
#include <utility>

namespace llcs {

template <class Code>
void standard_block(std::span<const Code> x, std::span<const Code> y, std::int32_t* right,
                    std::int32_t* below) {
  const std::size_t m = x.size();
  std::int32_t corner = below[m];  // of the new right column
  for (std::size_t j = 0; j < y.size(); ++j) {
    // `below` holds row j, and row j + 1 as far as it is computed. The value of row j that was
    // overwritten last is `diagonal`.
    std::int32_t diagonal = below[0];
    std::int32_t left = below[0] = right[j + 1];
    for (std::size_t k = 0; k < m; ++k) {
      const std::int32_t above = below[k + 1];
      const std::int32_t larger = std::max(above, left);
      left = x[k] == y[j] ? diagonal + 1 : larger;
      diagonal = above;
      below[k + 1] = left;
    }
    right[j] = std::exchange(corner, left);
  }
  right[y.size()] = corner;
}
template void standard_block(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y,
                             std::int32_t* right, std::int32_t* below);
template void standard_block(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y,
                             std::int32_t* right, std::int32_t* below);

}  // namespace llcs
