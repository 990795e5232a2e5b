// SPDX-License-Identifier: BSD-3-Clause
// Right-looking LU factorization with partial pivoting: P A = L U.
#pragma once

#include <functional>
#include <vector>

#include "panel.hpp"
#include "stopwatch.hpp"

namespace lu {

struct Factors {
  // Row pivots[j] of the matrix was exchanged with row j in step j. All processes have all pivots.
  std::vector<int> pivots;
  int singular = -1;  // the first column without a pivot other than 0; -1 if all have one
  double log10_abs_determinant = 0;
  bool negative = false;  // the determinant
};

// Replaces the matrix by L, whose diagonal of ones is left out, and U. With look-ahead, the grid
// column that has the next panel factorizes and sends it before it updates its other columns. Calls
// tell(part of the columns), from 0 to 1, after each panel.
Factors factorize(Grid& grid, Matrix& matrix, bool look_ahead, Stopwatch& watch,
                  const std::function<void(double)>& tell);

}  // namespace lu
