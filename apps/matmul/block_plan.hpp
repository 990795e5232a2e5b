// SPDX-License-Identifier: BSD-3-Clause
// The blocks, their places and the order of their products in the algorithm of the thesis: all that
// does not depend on the values, and is the same for the product and for its prediction.
#pragma once

#include <algorithm>

#include "product.hpp"
#include "schedule.hpp"

namespace matmul {

class BlockPlan {
 public:
  BlockPlan(const Sizes& matrix_sizes, const BlocksOptions& block_options, int p)
      : sizes(matrix_sizes),
        options(block_options),
        rows(Distribution::Share(sizes.m, options.side)),
        columns(Distribution::Share(sizes.n, options.side)),
        depth(Distribution::Share(sizes.k, options.side)),
        a(deal({sizes.m, sizes.k}, options, p)),
        b(deal({sizes.k, sizes.n}, options, p)),
        c(deal({sizes.m, sizes.n}, options, p)),
        schedule(options.side, p) {
    for (int process = 0; process < p; ++process) products.push_back(schedule.of(process));
  }

  Sizes sizes;
  BlocksOptions options;
  int rows, columns, depth;  // of blocks
  Distribution a, b, c;
  Schedule schedule;
  std::vector<std::vector<BlockProduct>> products;  // of each process

  // The product of a process in a superstep; null if it has none.
  [[nodiscard]] const BlockProduct* product_of(int process, int step) const {
    const auto& own = products[static_cast<std::size_t>(process)];
    return step < static_cast<int>(own.size()) ? &own[static_cast<std::size_t>(step)] : nullptr;
  }
  [[nodiscard]] Rectangle left_of(const BlockProduct& v) const {
    return block(v.column / options.side, rows, sizes.m, v.j, depth, sizes.k);
  }
  [[nodiscard]] Rectangle right_of(const BlockProduct& v) const {
    return block(v.j, depth, sizes.k, v.column % options.side, columns, sizes.n);
  }
  [[nodiscard]] Rectangle result_of(int column) const {
    return block(column / options.side, rows, sizes.m, column % options.side, columns, sizes.n);
  }
  // Tells whether a process has a block whole, as a block of the distribution.
  static bool whole_at(int process, const Distribution& where, const Rectangle& r) {
    const Shape size = where.Block();
    return !empty(r) && r.row % size.rows == 0 && r.column % size.columns == 0 &&
           r.rows <= size.rows && r.columns <= size.columns &&
           where.Owner(r.row, r.column) == process;
  }
  static bool empty(const Rectangle& r) { return r.rows == 0 || r.columns == 0; }

  // Tells whether a sum is formed in the memory of C itself.
  [[nodiscard]] bool in_place(int column) const {
    return !schedule.shared(column) && options.dealt == Dealt::custom;
  }
  // Tells whether results are stored after the products of a superstep. All processes complete
  // their block columns at the same time.
  [[nodiscard]] bool stores_after(int step) const {
    return options.dealt == Dealt::fixed && step % options.side == options.side - 1;
  }
  [[nodiscard]] int block_columns() const { return options.side * options.side; }
  [[nodiscard]] int first_shared() const {
    return block_columns() - block_columns() % static_cast<int>(products.size());
  }

 private:
  // A block, which is smaller or empty at the end of the matrix.
  static Rectangle block(int i, int block_rows, int all_rows, int j, int block_columns,
                         int all_columns) {
    const int row = std::min(i * block_rows, all_rows);
    const int column = std::min(j * block_columns, all_columns);
    return {row, column, std::min(block_rows, all_rows - row),
            std::min(block_columns, all_columns - column)};
  }
  static Distribution deal(Shape array, const BlocksOptions& options, int p) {
    if (options.dealt == Dealt::fixed) {
      const Shape grid = square_grid(p);
      return Distribution::Static(array, grid.rows, grid.columns);
    }
    // Schedule::keeper() counts in the same way, also blocks that are empty.
    return Distribution(array,
                        {Distribution::Share(array.rows, options.side),
                         Distribution::Share(array.columns, options.side)},
                        p, [side = options.side, p](int i, int j) { return (i * side + j) % p; });
  }
};

}  // namespace matmul
