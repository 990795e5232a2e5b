// SPDX-License-Identifier: BSD-3-Clause
// A square matrix of doubles, dealt to the grid in square blocks.
#pragma once

#include <algorithm>
#include <vector>

#include "grid.hpp"
#include "layout.hpp"

namespace lu {

struct Matrix {
  Matrix(const Grid& grid, int size, int block)
      : rows{size, block, grid.rows(), grid.row()},
        columns{size, block, grid.columns(), grid.column()},
        stride(rows.count() + padding(rows.count())),
        // A process without columns has one, so that there is an address to count from.
        values(static_cast<std::size_t>(stride) *
               static_cast<std::size_t>(std::max(1, columns.count()))) {}

  [[nodiscard]] int size() const { return rows.size; }
  // This process's part.
  [[nodiscard]] Block local() { return {values.data(), rows.count(), columns.count(), stride}; }

  Layout rows, columns;
  int stride;
  std::vector<double> values;

 private:
  // Columns that are a power of two apart would share few sets of the caches, so the distance is an
  // odd number of cache lines.
  static int padding(int count) {
    constexpr int line = 8;
    const int lines = (count + line - 1) / line;
    return (lines + (lines % 2 == 0 ? 1 : 0)) * line - count;
  }
};

}  // namespace lu
