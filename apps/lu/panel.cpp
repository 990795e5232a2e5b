// SPDX-License-Identifier: BSD-3-Clause
// Every process of the grid column keeps a copy of the diagonal block, because the pivot rows that
// make it up are broadcast anyway. So each can compute what is left of the rows of U by itself. The
// recursion makes the products large enough for dgemm (Toledo 1997).
#include "panel.hpp"

#include <algorithm>

namespace lu {
namespace {

constexpr int base_width = 8;  // columns that are factorized one by one

class Factorization {
 public:
  Factorization(Grid& grid, Matrix& matrix, Panel& panel)
      : grid_(grid),
        rows_(matrix.rows),
        panel_(panel),
        local_(matrix.local().part(0, matrix.columns.below(panel.first), matrix.rows.count(),
                                   panel.width)),
        pivot_row_(static_cast<std::size_t>(panel.width) + 1) {}

  // Columns begin to end of the panel.
  void factorize(int begin, int end) {
    if (end - begin <= base_width) {
      for (int c = begin; c < end; ++c) eliminate(c, end);
      return;
    }
    const int middle = begin + (end - begin) / 2;
    factorize(begin, middle);
    const Block u = panel_.diagonal().part(begin, middle, middle - begin, end - middle);
    solve_unit_lower(panel_.diagonal().part(begin, begin, middle - begin, middle - begin), u);
    subtract_product(rows_from(middle, middle, end), rows_from(middle, begin, middle), u);
    factorize(middle, end);
  }

  // Puts the diagonal block into the matrix and the rows below it into the panel.
  void finish() {
    if (rows_.owner(panel_.first) == grid_.row())
      copy(panel_.diagonal(),
           local_.part(rows_.below(panel_.first), 0, panel_.width, panel_.width));
    copy(rows_from(panel_.width, 0, panel_.width), panel_.below());
  }

 private:
  static void copy(const Block& from, const Block& to) {
    for (int j = 0; j < from.columns; ++j) std::copy_n(from.at(0, j), from.rows, to.at(0, j));
  }
  // This process's rows from row c of the panel on.
  [[nodiscard]] Block rows_from(int c, int begin, int end) const {
    const int top = rows_.below(panel_.first + c);
    return local_.part(top, begin, local_.rows - top, end - begin);
  }

  // Brings the pivot of column c to row c and subtracts multiples of that row from those below, in
  // the columns before `end`.
  void eliminate(int c, int end) {
    exchange(c, choose(c));
    const Block l = rows_from(c + 1, c, c + 1);
    const double pivot = *panel_.diagonal().at(c, c);
    if (pivot == 0) return;  // the column has no other value
    for (int i = 0; i < l.rows; ++i) *l.at(i, 0) /= pivot;
    if (c + 1 < end)
      subtract_outer(rows_from(c + 1, c + 1, end), l.values, panel_.message().at(c, c + 1),
                     panel_.message().stride);
  }

  // Finds the pivot of column c. All processes get its row; returns the grid row that has it.
  int choose(int c) {
    const Block candidates = rows_from(c, c, c + 1);
    const int place = candidates.rows > 0 ? largest(candidates.values, candidates.rows) : -1;
    double value = place >= 0 ? *candidates.at(place, 0) : 0;
    int winner = grid_.largest(Scope::column, value);
    if (value == 0) winner = rows_.owner(panel_.first + c);  // any row would do: take this one
    if (winner == grid_.row()) {
      const int row = rows_.below(panel_.first + c) + (value == 0 ? 0 : place);
      pivot_row_[0] = rows_.global(row);
      for (int j = 0; j < panel_.width; ++j)
        pivot_row_[static_cast<std::size_t>(j) + 1] = *local_.at(row, j);
    }
    grid_.broadcast(Scope::column, {pivot_row_.data(), panel_.width + 1, 1, panel_.width + 1},
                    winner, grid_.column());
    return winner;
  }

  // Keeps the pivot's row as row c of the diagonal block. The row that was there takes its place.
  void exchange(int c, int winner) {
    const int row = panel_.first + c, pivot = static_cast<int>(pivot_row_[0]);
    for (int j = 0; j < panel_.width; ++j)
      *panel_.diagonal().at(c, j) = pivot_row_[static_cast<std::size_t>(j) + 1];
    panel_.set_pivot(c, pivot);
    const int owner = rows_.owner(row);
    const Block leaving = local_.part(rows_.below(row), 0, 1, panel_.width);
    const Block place = local_.part(rows_.below(pivot), 0, 1, panel_.width);
    if (owner == winner) {
      if (owner == grid_.row() && row != pivot) copy(leaving, place);
    } else if (owner == grid_.row()) {
      grid_.send(leaving, winner, grid_.column());
    } else if (winner == grid_.row()) {
      grid_.receive(place, owner, grid_.column());
    }
  }

  Grid& grid_;
  const Layout& rows_;
  Panel& panel_;
  Block local_;  // all of this process's rows in the columns of the panel
  std::vector<double> pivot_row_;
};

}  // namespace

Panel::Panel(const Matrix& matrix, int first_column)
    : first(first_column),
      width(std::min(matrix.rows.block, matrix.size() - first)),
      rows_below(matrix.rows.count() - matrix.rows.below(first + width)),
      pivot_place(width),
      values_(static_cast<std::size_t>(width) * static_cast<std::size_t>(width + 1 + rows_below)) {}

void factorize(Grid& grid, Matrix& matrix, Panel& panel) {
  Factorization factorization(grid, matrix, panel);
  factorization.factorize(0, panel.width);
  factorization.finish();
}

}  // namespace lu
