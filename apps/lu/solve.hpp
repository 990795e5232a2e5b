// SPDX-License-Identifier: BSD-3-Clause
// The solution of A x = b by the factors of A, and how good it is. Vectors are whole in all
// processes.
#pragma once

#include <vector>

#include "factor.hpp"

namespace lu {

std::vector<double> solve(Grid& grid, Matrix& factors, const std::vector<int>& pivots,
                          std::vector<double> b);

std::vector<double> product(Grid& grid, Matrix& matrix, const std::vector<double>& x);

// The largest sum of absolute values of a row.
double infinity_norm(Grid& grid, Matrix& matrix);

// |A x - b| / (epsilon n (|A| |x| + |b|)) with norms of the largest element: a few units at most if
// all is well (HPL accepts 16).
double scaled_residual(Grid& grid, Matrix& matrix, const std::vector<double>& x,
                       const std::vector<double>& b);

}  // namespace lu
