// SPDX-License-Identifier: BSD-3-Clause
// The exchange of rows that a panel's pivots ask for, in the columns outside of the panel. All rows
// that two processes exchange are one message.
#pragma once

#include <vector>

#include "panel.hpp"

namespace lu {

class RowExchange {
 public:
  RowExchange(const Matrix& matrix, Panel& panel);

  // Exchanges the rows in all columns of this process before and after the panel.
  void run(Grid& grid, Matrix& matrix);

 private:
  // A row that comes to the diagonal block or leaves it.
  struct Move {
    int from, to;  // rows of the matrix
  };
  // Places of rows, in pairs: row from[i] goes to row to[i]. Rows of the diagonal block leave from
  // a copy, and are counted from its first row there.
  struct Places {
    std::vector<int> from, to;
  };
  // Rows that this process exchanges with one of another grid row: as many come as leave.
  struct Partner {
    int grid_row;
    std::vector<int> leaving, arriving;
    std::vector<double> values = {};  // of a message, column by column
  };
  [[nodiscard]] bool has_block() const { return owner_ == rows_.my_part; }
  void find_moves(Panel& panel);
  void add_partner(int grid_row);
  void add_own(const Move& move);
  void take_leaving(const Block& columns);
  void put_arriving(const Block& columns);

  Layout rows_;
  int first_, width_, owner_;              // of the diagonal block
  std::vector<Move> upwards_, downwards_;  // to the diagonal block; from it to rows below
  std::vector<Partner> partners_;
  Places from_below_, from_block_;  // within this process, which has the diagonal block
};

}  // namespace lu
