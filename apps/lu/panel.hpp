// SPDX-License-Identifier: BSD-3-Clause
// The factors of some columns of the matrix, as all processes of the grid need them.
#pragma once

#include <vector>

#include "matrix.hpp"

namespace lu {

// The block column that begins at `first` of the matrix, factorized. One message has it all: for
// each column the part of L and U on the diagonal block, the row that was its pivot, and this
// process's rows of L below the diagonal block.
class Panel {
 public:
  Panel(const Matrix& matrix, int first_column);

  int first;        // row and column of the matrix where it begins
  int width;        // columns
  int rows_below;   // this process's rows below the diagonal block
  int pivot_place;  // row of message() with the pivots

  [[nodiscard]] int next() const { return first + width; }
  [[nodiscard]] Block message() {
    return {values_.data(), pivot_place + 1 + rows_below, width, pivot_place + 1 + rows_below};
  }
  [[nodiscard]] Block diagonal() { return message().part(0, 0, width, width); }
  [[nodiscard]] Block below() { return message().part(pivot_place + 1, 0, rows_below, width); }
  // The row of the matrix that took the place of row `first` + c.
  [[nodiscard]] int pivot(int c) { return static_cast<int>(*message().at(pivot_place, c)); }
  void set_pivot(int c, int row) { *message().at(pivot_place, c) = row; }

 private:
  std::vector<double> values_;
};

// Factorizes the panel in the grid column that has it; `panel` gets the result, and the matrix too.
// Rows are exchanged within the panel only.
void factorize(Grid& grid, Matrix& matrix, Panel& panel);

}  // namespace lu
