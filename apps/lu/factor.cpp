// SPDX-License-Identifier: BSD-3-Clause
#include "factor.hpp"

#include <cmath>
#include <memory>

#include "row_exchange.hpp"

namespace lu {
namespace {

class Factorization {
 public:
  Factorization(Grid& grid, Matrix& matrix, Stopwatch& watch,
                const std::function<void(double)>& tell)
      : grid_(grid), matrix_(matrix), watch_(watch), tell_(tell) {}

  Factors run(bool look_ahead) {
    auto panel = std::make_unique<Panel>(matrix_, 0);
    make(*panel);
    while (true) {
      note(*panel);
      exchange_rows(*panel);
      solve_rows(*panel);
      tell_(1.0 * panel->next() / matrix_.size());
      if (panel->next() >= matrix_.size()) return std::move(factors_);
      auto next = std::make_unique<Panel>(matrix_, panel->next());
      const int begin = matrix_.columns.below(next->first), end = matrix_.columns.count();
      const int ahead = look_ahead ? matrix_.columns.below(next->next()) : end;
      update(*panel, begin, ahead);
      const bool mine = matrix_.columns.owner(next->first) == grid_.column();
      if (mine || !look_ahead) make(*next);
      update(*panel, ahead, end);
      if (!mine && look_ahead) make(*next);
      panel = std::move(next);
    }
  }

 private:
  // Gives a panel to all processes: its grid column factorizes it.
  void make(Panel& panel) {
    const int owner = matrix_.columns.owner(panel.first);
    if (owner == grid_.column()) watch_.run(Part::panel, [&] { factorize(grid_, matrix_, panel); });
    watch_.run(Part::broadcast,
               [&] { grid_.broadcast(Scope::row, panel.message(), grid_.row(), owner); });
  }

  void note(Panel& panel) {
    for (int c = 0; c < panel.width; ++c) {
      const double pivot = *panel.diagonal().at(c, c);
      factors_.pivots.push_back(panel.pivot(c));
      factors_.log10_abs_determinant += std::log10(std::abs(pivot));
      if ((pivot < 0) != (panel.pivot(c) != panel.first + c))
        factors_.negative = !factors_.negative;
      if (pivot == 0 && factors_.singular < 0) factors_.singular = panel.first + c;
    }
  }

  void exchange_rows(Panel& panel) {
    watch_.run(Part::exchange, [&] { RowExchange(matrix_, panel).run(grid_, matrix_); });
  }

  // Computes the rows of U beside the diagonal block, in the grid row that has it, for all.
  void solve_rows(Panel& panel) {
    const int begin = matrix_.columns.below(panel.next());
    const int owner = matrix_.rows.owner(panel.first);
    const int columns = matrix_.columns.count() - begin;
    upper_.resize(static_cast<std::size_t>(panel.width) * static_cast<std::size_t>(columns));
    u_ = {upper_.data(), panel.width, columns, panel.width};
    if (owner == grid_.row()) {
      u_ = matrix_.local().part(matrix_.rows.below(panel.first), begin, panel.width, columns);
      watch_.run(Part::solve_rows, [&] { solve_unit_lower(panel.diagonal(), u_); });
    }
    watch_.run(Part::broadcast, [&] { grid_.broadcast(Scope::column, u_, owner, grid_.column()); });
  }

  // Subtracts L U from what is right of and below the panel, in this process's columns begin to
  // end.
  void update(Panel& panel, int begin, int end) {
    const int top = matrix_.rows.below(panel.next()), first = matrix_.columns.below(panel.next());
    const Block rest = matrix_.local().part(top, begin, panel.rows_below, end - begin);
    watch_.run(Part::update, [&] {
      subtract_product(rest, panel.below(), u_.part(0, begin - first, panel.width, end - begin));
    });
  }

  Grid& grid_;
  Matrix& matrix_;
  Stopwatch& watch_;
  const std::function<void(double)>& tell_;
  Factors factors_;
  std::vector<double> upper_;
  Block u_{};  // the rows of U beside the panel, in this process's columns
};

}  // namespace

Factors factorize(Grid& grid, Matrix& matrix, bool look_ahead, Stopwatch& watch,
                  const std::function<void(double)>& tell) {
  return Factorization(grid, matrix, watch, tell).run(look_ahead);
}

}  // namespace lu
