// SPDX-License-Identifier: BSD-3-Clause
// Classes of sizes, for each of which one choice serves. Class k holds the sizes above 2^(k-1), up
// to 2^k; class 0 holds 0 and 1.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "selection/table.hpp"

namespace tutti::selection {

constexpr int size_classes = 64;

[[nodiscard]] inline int size_class_of(std::int64_t bytes) {
  return bytes <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes - 1)));
}

[[nodiscard]] inline Range sizes_of_class(int size_class) {
  const auto last = [](int k) {
    return k < 63 ? std::int64_t{1} << k : std::numeric_limits<std::int64_t>::max();
  };
  return {size_class == 0 ? 0 : last(size_class - 1) + 1, last(size_class)};
}

}  // namespace tutti::selection
