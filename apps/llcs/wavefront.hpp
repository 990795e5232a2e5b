// SPDX-License-Identifier: BSD-3-Clause
// The parallel algorithm (Krusche's figure 5.4): the blocks of a diagonal are computed at the same
// time, each by the process that has its column.
//
// Before a block, its process gets the part of y from the process that has it, and the process of
// the column to the left has put the right border there. The lower border stays. Borders of
// diagonals with even and odd numbers have memory of their own, because one may arrive while the
// one before it is still needed.
#pragma once

#include <tutti-bsp/bsp.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "grid.hpp"

namespace llcs {

// When the processes synchronise: once for each block, as in figure 5.4, or once for all blocks of
// a diagonal.
enum class Supersteps : std::uint8_t { per_block, per_diagonal };

template <class Method>
class Wavefront {
  using Code = typename Method::Code;
  using Border = typename Method::Border;

 public:
  // `x` and `y` are the parts of this process, each in a slot of Parts::length characters.
  Wavefront(const Grid& grid, Method& method, std::span<const Code> x, std::span<Code> y)
      : grid_(grid),
        method_(method),
        x_(x),
        y_(y),
        fetched_(y.size()),
        border_(Method::border(grid.y.length)),
        right_(2 * static_cast<std::size_t>(grid.alpha) * border_) {
    BSPWrapper::PushReg(y_.data(), bytes<Code>(y_.size()));
    BSPWrapper::PushReg(right_.data(), bytes<Border>(right_.size()));
    BSPWrapper::Sync();
  }
  ~Wavefront() {
    BSPWrapper::PopReg(right_.data());
    BSPWrapper::PopReg(y_.data());
  }
  Wavefront(const Wavefront&) = delete;
  Wavefront& operator=(const Wavefront&) = delete;

  // Computes the whole table. Calls tell(part of the diagonals) after each diagonal. Returns the
  // length on all processes.
  std::uint64_t run(Supersteps supersteps, const std::function<void(double)>& tell) {
    const int together = supersteps == Supersteps::per_block ? 1 : grid_.alpha;
    for (int diagonal = 0; diagonal < grid_.diagonals(); ++diagonal) {
      for (int first = 0; first < grid_.alpha; first += together) {
        for (int slot = first; slot < first + together; ++slot) fetch(diagonal, slot);
        sync();
        for (int slot = first; slot < first + together; ++slot) compute(diagonal, slot);
      }
      tell(static_cast<double>(diagonal + 1) / grid_.diagonals());
    }
    std::uint64_t length = method_.length();
    BSPWrapper::Broadcast(grid_.owner(grid_.blocks() - 1), sizeof length, &length, &length);
    return length;
  }
  [[nodiscard]] int supersteps() const { return supersteps_; }

 private:
  template <class T>
  static int bytes(std::size_t count) {
    return static_cast<int>(count * sizeof(T));
  }
  [[nodiscard]] int column(int slot) const { return slot * grid_.processes + BSPWrapper::Pid; }
  [[nodiscard]] std::size_t place_of_y(int slot) const {
    return static_cast<std::size_t>(slot) * grid_.y.length;
  }
  // Place of the right border that arrives for a slot before a diagonal.
  [[nodiscard]] std::size_t place_of_right(int diagonal, int slot) const {
    return static_cast<std::size_t>(diagonal % 2 * grid_.alpha + slot) * border_;
  }
  void sync() {
    BSPWrapper::Sync();
    ++supersteps_;
  }

  void fetch(int diagonal, int slot) {
    const int row = grid_.row(diagonal, column(slot));
    if (row < 0 || grid_.owner(row) == BSPWrapper::Pid) return;
    BSPWrapper::Get(grid_.owner(row), y_.data(), bytes<Code>(place_of_y(grid_.slot(row))),
                    &fetched_[place_of_y(slot)], bytes<Code>(grid_.y.size(row)));
  }

  void compute(int diagonal, int slot) {
    const int column = this->column(slot), row = grid_.row(diagonal, column);
    if (row < 0) return;
    const bool own = grid_.owner(row) == BSPWrapper::Pid;
    const Code* part = own ? &y_[place_of_y(grid_.slot(row))] : &fetched_[place_of_y(slot)];
    const std::size_t height = grid_.y.size(row);
    Border* right = &right_[place_of_right(diagonal, slot)];
    if (column == 0) Method::begin({right, border_});
    method_.block(slot,
                  x_.subspan(static_cast<std::size_t>(slot) * grid_.x.length, grid_.x.size(column)),
                  {part, height}, right);
    if (column == grid_.blocks() - 1) return method_.at_right_border(right, height);
    BSPWrapper::Put(grid_.owner(column + 1), right, right_.data(),
                    bytes<Border>(place_of_right(diagonal + 1, grid_.slot(column + 1))),
                    bytes<Border>(Method::border(height)));
  }

  const Grid& grid_;
  Method& method_;
  std::span<const Code> x_;
  std::span<Code> y_;
  std::vector<Code> fetched_;
  std::size_t border_;  // values of the right border of a block
  std::vector<Border> right_;
  int supersteps_ = 0;
};

}  // namespace llcs
