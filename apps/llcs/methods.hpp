// SPDX-License-Identifier: BSD-3-Clause
// The two ways to compute a block, in the form in which the wavefront uses them. Each keeps the
// lower borders of the blocks of this process, because the next block of the column is computed
// here too. The right border goes to the process of the next column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "bit_parallel.hpp"
#include "grid.hpp"
#include "standard.hpp"

namespace llcs {

template <class Code_>
class Standard {
 public:
  using Code = Code_;
  using Border = std::int32_t;
  static constexpr std::size_t unit = 1;  // heights of blocks are multiples of it

  explicit Standard(const Grid& grid)
      : width_(grid.x.length + 1), below_(static_cast<std::size_t>(grid.alpha) * width_) {}

  // Values of the right border of a block of this height.
  static std::size_t border(std::size_t height) { return height + 1; }
  // Sets the left border of the table.
  static void begin(std::span<Border> right) { std::ranges::fill(right, 0); }
  void block(int slot, std::span<const Code> x, std::span<const Code> y, Border* right) {
    standard_block(x, y, right, &below_[static_cast<std::size_t>(slot) * width_]);
  }
  // Called for the blocks at the right border of the table, from the first to the last.
  void at_right_border(const Border* right, std::size_t height) {
    length_ = static_cast<std::uint64_t>(right[height]);
  }
  [[nodiscard]] std::uint64_t length() const { return length_; }

 private:
  std::size_t width_;
  std::vector<std::int32_t> below_;
  std::uint64_t length_ = 0;
};

template <class Code_>
class BitParallel {
 public:
  using Code = Code_;
  using Border = std::uint64_t;
  static constexpr std::size_t unit = 64;

  BitParallel(const Grid& grid, BitKernel<Code>& kernel)
      : kernel_(kernel),
        width_(grid.x.length),
        carries_(static_cast<std::size_t>(grid.alpha) * width_) {}

  static std::size_t border(std::size_t height) { return words_of(height); }
  static void begin(std::span<Border> right) {
    std::ranges::fill(right, std::numeric_limits<Border>::max());
  }
  void block(int slot, std::span<const Code> x, std::span<const Code> y, Border* right) {
    kernel_.run(x, y, right, &carries_[static_cast<std::size_t>(slot) * width_]);
  }
  void at_right_border(const Border* right, std::size_t height) {
    length_ += zeros({right, words_of(height)}, height);
  }
  [[nodiscard]] std::uint64_t length() const { return length_; }

 private:
  BitKernel<Code>& kernel_;
  std::size_t width_;
  std::vector<std::uint8_t> carries_;
  std::uint64_t length_ = 0;
};

}  // namespace llcs
