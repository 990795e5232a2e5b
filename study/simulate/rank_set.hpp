// SPDX-License-Identifier: BSD-3-Clause
// A set of ranks that finds its lowest rank fast. The ranks are bits in words, and each bit of a
// higher level tells if a word of the level below has bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::simulate {

class RankSet {
 public:
  explicit RankSet(int ranks) {
    auto size = static_cast<std::size_t>(ranks > 0 ? ranks : 1);
    do {
      size = (size + 63) / 64;
      levels_.emplace_back(size);
    } while (size > 1);
  }

  [[nodiscard]] bool empty() const { return levels_.back()[0] == 0; }

  void insert(int rank) {
    auto at = static_cast<std::size_t>(rank);
    for (auto& level : levels_) {
      level[at / 64] |= std::uint64_t{1} << at % 64;
      at /= 64;
    }
  }

  // Returns the lowest rank. The set must not be empty.
  [[nodiscard]] int lowest() const {
    std::size_t at = 0;
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
      at = 64 * at + static_cast<std::size_t>(std::countr_zero((*level)[at]));
    return static_cast<int>(at);
  }

  void erase(int rank) {
    auto at = static_cast<std::size_t>(rank);
    for (auto& level : levels_) {
      level[at / 64] &= ~(std::uint64_t{1} << at % 64);
      if (level[at / 64] != 0) return;
      at /= 64;
    }
  }

 private:
  std::vector<std::vector<std::uint64_t>> levels_;  // the bits of the ranks themselves come first
};

}  // namespace tutti::simulate
