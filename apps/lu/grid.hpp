// SPDX-License-Identifier: BSD-3-Clause
// The grid of processes: the calls of the BLACS that LU makes, in terms of its blocks.
#pragma once

#include <tutti-blacs/tutti_blacs.h>

#include <string>

#include "blas.hpp"

namespace lu {

enum class Scope { row, column, all };

// Topologies of the BLACS, by their letters: of broadcasts along rows and along columns of the
// grid, and of combines.
struct Topologies {
  std::string row = " ", column = " ", combine = " ";
};

class Grid {
 public:
  Grid(int rows, int columns, Topologies topologies) : topologies_(std::move(topologies)) {
    char by_rows[] = "Row";
    Cblacs_get(0, 0, &context_);
    Cblacs_gridinit(&context_, by_rows, rows, columns);
    Cblacs_gridinfo(context_, &rows_, &columns_, &row_, &column_);
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;
  ~Grid() {
    if (inside()) Cblacs_gridexit(context_);
  }

  // False in the processes that the grid has no place for; they make none of the calls below.
  [[nodiscard]] bool inside() const { return row_ >= 0; }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int row() const { return row_; }
  [[nodiscard]] int column() const { return column_; }

  void send(const Block& block, int row, int column) {
    if (block.columns > 0)
      Cdgesd2d(context_, block.rows, block.columns, block.values, block.stride, row, column);
  }
  void receive(const Block& block, int row, int column) {
    if (block.columns > 0)
      Cdgerv2d(context_, block.rows, block.columns, block.values, block.stride, row, column);
  }
  // Copies a block from the process at a place of the grid to all others of a scope.
  void broadcast(Scope scope, const Block& block, int row, int column) {
    char* const name = name_of(scope);
    char* const top = (scope == Scope::row ? topologies_.row : topologies_.column).data();
    if (block.rows == 0 || block.columns == 0) return;
    if (row == row_ && column == column_) {
      Cdgebs2d(context_, name, top, block.rows, block.columns, block.values, block.stride);
    } else {
      Cdgebr2d(context_, name, top, block.rows, block.columns, block.values, block.stride, row,
               column);
    }
  }
  // Adds the blocks of a scope. All of its processes get the sum, or only one of a grid row or
  // column; the place of that one in the other direction is this process's.
  void sum(Scope scope, const Block& block, int only = -1) {
    const int row = only < 0 ? -1 : scope == Scope::row ? row_ : only;
    const int column = only < 0 ? -1 : scope == Scope::row ? only : column_;
    Cdgsum2d(context_, name_of(scope), topologies_.combine.data(), block.rows, block.columns,
             block.values, block.stride, row, column);
  }
  // Replaces a value by the one of the scope with the largest absolute value, and returns the grid
  // row of the process that had it.
  int largest(Scope scope, double& value) {
    int row = 0, column = 0;
    Cdgamx2d(context_, name_of(scope), topologies_.combine.data(), 1, 1, &value, 1, &row, &column,
             1, -1, -1);
    return row;
  }
  void barrier() { Cblacs_barrier(context_, name_of(Scope::all)); }

 private:
  static char* name_of(Scope scope) {
    static char names[][8] = {"Row", "Column", "All"};
    return names[static_cast<int>(scope)];
  }

  Topologies topologies_;
  int context_ = -1;
  int rows_ = -1, columns_ = -1, row_ = -1, column_ = -1;
};

}  // namespace lu
