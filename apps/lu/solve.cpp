// SPDX-License-Identifier: BSD-3-Clause
#include "solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lu {
namespace {

Block column_of(double* values, int rows) {
  return {values, rows, 1, std::max(1, rows)};
}

// Solves by one triangle after the other, block by block. A process collects what the values found
// so far contribute to its rows; the sum along a grid row is subtracted when the block's turn
// comes.
class Substitution {
 public:
  Substitution(Grid& grid, Matrix& factors)
      : grid_(grid),
        factors_(factors),
        local_(factors.local()),
        collected_(static_cast<std::size_t>(factors.rows.count())) {}

  // Replaces the elements of `x` that the diagonal blocks of this process solve for.
  void lower(std::vector<double>& x) {
    for (int first = 0; first < factors_.size(); first += factors_.rows.block)
      block(x, first, "L", factors_.rows.below(end_of(first)), local_.rows);
  }
  void upper(std::vector<double>& x) {
    std::ranges::fill(collected_, 0);
    const int block_size = factors_.rows.block;
    for (int first = (factors_.size() - 1) / block_size * block_size; first >= 0;
         first -= block_size)
      block(x, first, "U", 0, factors_.rows.below(first));
  }

 private:
  [[nodiscard]] int end_of(int first) const {
    return std::min(first + factors_.rows.block, factors_.size());
  }

  // Solves for a block and adds its contributions to this process's rows begin to end.
  void block(std::vector<double>& x, int first, const char* triangle, int begin, int end) {
    const int size = end_of(first) - first;
    const int row = factors_.rows.owner(first), column = factors_.columns.owner(first);
    const int place = factors_.rows.below(first), across = factors_.columns.below(first);
    double* const values = &x[static_cast<std::size_t>(first)];
    if (grid_.row() == row) {
      const Block sum = column_of(&collected_[static_cast<std::size_t>(place)], size);
      grid_.sum(Scope::row, sum, column);
      if (grid_.column() == column) {
        for (int i = 0; i < size; ++i) values[i] += sum.values[i];
        solve_triangle(triangle, local_.part(place, across, size, size), values);
      }
    }
    if (grid_.column() != column) return;
    grid_.broadcast(Scope::column, column_of(values, size), row, column);
    subtract_product(collected_.data() + begin, local_.part(begin, across, end - begin, size),
                     values);
  }

  Grid& grid_;
  Matrix& factors_;
  Block local_;
  std::vector<double> collected_;
};

// Gives all processes of a scope the elements that each has, in their places.
void complete(Grid& grid, Scope scope, const Layout& layout, std::vector<double>& x) {
  for (int i = 0; i < layout.size; ++i)
    if (layout.owner(i) != layout.my_part) x[static_cast<std::size_t>(i)] = 0;
  grid.sum(scope, column_of(x.data(), layout.size));
}

double largest_of(const std::vector<double>& values) {
  double most = 0;
  // A value that is no number must not disappear.
  for (const double value : values)
    if (!(std::abs(value) <= most)) most = std::abs(value);
  return most;
}

// Adds the values for this process's rows along the grid rows, and returns those of all rows.
std::vector<double> whole_vector(Grid& grid, const Matrix& matrix, std::vector<double>& mine) {
  if (!mine.empty()) grid.sum(Scope::row, column_of(mine.data(), matrix.rows.count()));
  std::vector<double> whole(static_cast<std::size_t>(matrix.size()));
  for (int i = 0; i < matrix.rows.count(); ++i)
    whole[static_cast<std::size_t>(matrix.rows.global(i))] = mine[static_cast<std::size_t>(i)];
  complete(grid, Scope::column, matrix.rows, whole);
  return whole;
}

}  // namespace

std::vector<double> solve(Grid& grid, Matrix& factors, const std::vector<int>& pivots,
                          std::vector<double> b) {
  for (std::size_t i = 0; i < pivots.size(); ++i)
    std::swap(b[i], b[static_cast<std::size_t>(pivots[i])]);
  Substitution substitution(grid, factors);
  substitution.lower(b);
  substitution.upper(b);
  complete(grid, Scope::row, factors.columns, b);
  return b;
}

std::vector<double> product(Grid& grid, Matrix& matrix, const std::vector<double>& x) {
  std::vector<double> mine(static_cast<std::size_t>(matrix.rows.count()));
  std::vector<double> part(static_cast<std::size_t>(matrix.columns.count()));
  for (int j = 0; j < matrix.columns.count(); ++j)
    part[static_cast<std::size_t>(j)] = -x[static_cast<std::size_t>(matrix.columns.global(j))];
  subtract_product(mine.data(), matrix.local(), part.data());
  return whole_vector(grid, matrix, mine);
}

double infinity_norm(Grid& grid, Matrix& matrix) {
  std::vector<double> mine(static_cast<std::size_t>(matrix.rows.count()));
  const Block local = matrix.local();
  for (int j = 0; j < local.columns; ++j)
    for (int i = 0; i < local.rows; ++i)
      mine[static_cast<std::size_t>(i)] += std::abs(*local.at(i, j));
  return largest_of(whole_vector(grid, matrix, mine));
}

double scaled_residual(Grid& grid, Matrix& matrix, const std::vector<double>& x,
                       const std::vector<double>& b) {
  std::vector<double> difference = product(grid, matrix, x);
  for (std::size_t i = 0; i < b.size(); ++i) difference[i] -= b[i];
  const double scale = infinity_norm(grid, matrix) * largest_of(x) + largest_of(b);
  const double unit = std::numeric_limits<double>::epsilon() * std::max(1, matrix.size());
  return scale == 0 ? 0 : largest_of(difference) / (unit * scale);
}

}  // namespace lu
