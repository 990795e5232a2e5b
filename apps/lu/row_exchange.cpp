// SPDX-License-Identifier: BSD-3-Clause
#include "row_exchange.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace lu {

RowExchange::RowExchange(const Matrix& matrix, Panel& panel)
    : rows_(matrix.rows),
      first_(panel.first),
      width_(panel.width),
      owner_(rows_.owner(panel.first)) {
  find_moves(panel);
  if (!has_block()) {
    add_partner(owner_);
    return;
  }
  for (int row = 0; row < rows_.parts; ++row)
    if (row != owner_) add_partner(row);
  for (const std::vector<Move>& moves : {upwards_, downwards_})
    for (const Move& move : moves) add_own(move);
}

// The interchanges one after the other would move some rows several times, so this finds out where
// each row ends.
void RowExchange::find_moves(Panel& panel) {
  std::map<int, int> content;  // row of the matrix -> row that has come there
  const auto at = [&content](int row) -> int& {
    return content.try_emplace(row, row).first->second;
  };
  for (int c = 0; c < width_; ++c) std::swap(at(first_ + c), at(panel.pivot(c)));
  for (const auto& [to, from] : content)
    if (from != to) (to < panel.next() ? upwards_ : downwards_).push_back({from, to});
}

void RowExchange::add_partner(int grid_row) {
  const int below = has_block() ? grid_row : rows_.my_part;  // grid row of the other rows
  Partner partner{grid_row, {}, {}};
  for (const Move& move : upwards_) {
    if (move.from < first_ + width_ || rows_.owner(move.from) != below) continue;
    (has_block() ? partner.arriving : partner.leaving)
        .push_back(rows_.below(has_block() ? move.to : move.from));
  }
  for (const Move& move : downwards_) {
    if (rows_.owner(move.to) != below) continue;
    (has_block() ? partner.leaving : partner.arriving)
        .push_back(has_block() ? move.from - first_ : rows_.below(move.to));
  }
  if (!partner.leaving.empty()) partners_.push_back(std::move(partner));
}

void RowExchange::add_own(const Move& move) {
  const bool from_block = move.from < first_ + width_;
  if (rows_.owner(from_block ? move.to : move.from) != owner_) return;
  Places& places = from_block ? from_block_ : from_below_;
  places.from.push_back(from_block ? move.from - first_ : rows_.below(move.from));
  places.to.push_back(rows_.below(move.to));
}

void RowExchange::run(Grid& grid, Matrix& matrix) {
  const Block local = matrix.local();
  const int left = matrix.columns.below(first_), right = matrix.columns.below(first_ + width_);
  for (const Block& columns : {local.part(0, 0, local.rows, left),
                               local.part(0, right, local.rows, local.columns - right)}) {
    take_leaving(columns);
    for (Partner& partner : partners_) {
      const int count = static_cast<int>(partner.leaving.size());
      const Block message{partner.values.data(), count, columns.columns, count};
      grid.send(message, partner.grid_row, grid.column());
      grid.receive(message, partner.grid_row, grid.column());
    }
    put_arriving(columns);
  }
}

// Copies the rows that leave into messages, and moves rows within this process. One column after
// the other is done, because its elements are in the cache then.
void RowExchange::take_leaving(const Block& columns) {
  for (Partner& partner : partners_)
    partner.values.resize(partner.leaving.size() * static_cast<std::size_t>(columns.columns));
  std::vector<double> copy(static_cast<std::size_t>(width_));
  for (int j = 0; j < columns.columns; ++j) {
    double* const column = columns.at(0, j);
    if (has_block()) std::copy_n(column + rows_.below(first_), width_, copy.data());
    const double* const source = has_block() ? copy.data() : column;
    for (Partner& partner : partners_) {
      double* value = &partner.values[partner.leaving.size() * static_cast<std::size_t>(j)];
      for (const int place : partner.leaving) *value++ = source[place];
    }
    for (std::size_t i = 0; i < from_below_.to.size(); ++i)
      column[from_below_.to[i]] = column[from_below_.from[i]];
    for (std::size_t i = 0; i < from_block_.to.size(); ++i)
      column[from_block_.to[i]] = source[from_block_.from[i]];
  }
}

void RowExchange::put_arriving(const Block& columns) {
  for (const Partner& partner : partners_) {
    const double* value = partner.values.data();
    for (int j = 0; j < columns.columns; ++j)
      for (const int place : partner.arriving) *columns.at(place, j) = *value++;
  }
}

}  // namespace lu
