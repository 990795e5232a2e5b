// SPDX-License-Identifier: BSD-3-Clause
// The grid of blocks into which the table is cut, and which process has which block (Krusche's
// figure 5.2). Columns of blocks are dealt to the processes in turn. Numbers begin with 0.
#pragma once

#include <algorithm>
#include <cstddef>

namespace llcs {

// The cut of one string into the parts of the blocks.
struct Parts {
  std::size_t characters = 0;
  std::size_t length = 1;  // of each part, if the string goes that far

  [[nodiscard]] std::size_t begin(int part) const {
    return std::min(static_cast<std::size_t>(part) * length, characters);
  }
  [[nodiscard]] std::size_t size(int part) const { return begin(part + 1) - begin(part); }
};

// Returns the cut into `count` parts whose lengths are multiples of `unit`.
inline Parts cut(std::size_t characters, int count, std::size_t unit) {
  const std::size_t units = (characters + unit - 1) / unit;
  const auto parts = static_cast<std::size_t>(count);
  return {characters, unit * std::max<std::size_t>(1, (units + parts - 1) / parts)};
}

struct Grid {
  int processes;  // p
  int alpha;      // columns of blocks of each process
  Parts x, y;

  [[nodiscard]] int blocks() const { return processes * alpha; }  // G, in either direction
  [[nodiscard]] int diagonals() const { return 2 * blocks() - 1; }
  [[nodiscard]] int owner(int part) const { return part % processes; }
  [[nodiscard]] int slot(int part) const { return part / processes; }
  // The row of the block of this column on a diagonal, or -1 if there is none.
  [[nodiscard]] int row(int diagonal, int column) const {
    const int row = diagonal - column;
    return row >= 0 && row < blocks() ? row : -1;
  }
};

}  // namespace llcs
