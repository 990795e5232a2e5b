// SPDX-License-Identifier: BSD-3-Clause
// The supersteps of a table that has not been filled: (5.2) and (5.3) of the thesis (Krusche 2008)
// without their averages. The times of blocks come from outside.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <tutti-bsp/bsp.hpp>
#include <utility>
#include <vector>

#include "all_busy.hpp"
#include "costs.hpp"
#include "grid.hpp"
#include "wavefront.hpp"

namespace llcs {

// Returns the seconds of a block of so many characters of x and of y.
using BlockTime = std::function<double(std::size_t width, std::size_t height)>;

template <class Method>
class Prediction {
  using Code = typename Method::Code;
  using Border = typename Method::Border;

 public:
  Prediction(const Grid& grid, BlockTime time) : grid_(grid), time_(std::move(time)) {}

  std::vector<profile::Superstep> supersteps(Supersteps supersteps) {
    const int together = supersteps == Supersteps::per_block ? 1 : grid_.alpha;
    steps_.assign(1, empty());
    for (int diagonal = 0; diagonal < grid_.diagonals(); ++diagonal) {
      for (int first = 0; first < grid_.alpha; first += together) {
        each_block(diagonal, first, together, [this](int column, int row) { fetch(column, row); });
        steps_.push_back(empty());
        each_block(diagonal, first, together,
                   [this](int column, int row) { compute(column, row); });
      }
    }
    return std::move(steps_);
  }

 private:
  [[nodiscard]] profile::Superstep empty() const {
    return profile::empty_superstep(grid_.processes);
  }
  static double words_in(std::size_t bytes) { return static_cast<double>(bytes) / 8; }

  // Calls visit(column, row) for the blocks of a superstep, those of all processes.
  template <class Visit>
  void each_block(int diagonal, int first, int count, const Visit& visit) {
    for (int slot = first; slot < first + count; ++slot)
      for (int process = 0; process < grid_.processes; ++process) {
        const int column = slot * grid_.processes + process, row = grid_.row(diagonal, column);
        if (row >= 0) visit(column, row);
      }
  }
  void fetch(int column, int row) {
    const int from = grid_.owner(row), to = grid_.owner(column);
    if (from != to)
      profile::add_words(steps_.back(), profile::Access::get, from, to,
                         words_in(grid_.y.size(row) * sizeof(Code)), 1);
  }
  void compute(int column, int row) {
    const int process = grid_.owner(column);
    const std::size_t height = grid_.y.size(row);
    steps_.back().processes[static_cast<std::size_t>(process)].compute +=
        time_(grid_.x.size(column), height);
    if (column < grid_.blocks() - 1)
      profile::add_words(steps_.back(), profile::Access::put, process, grid_.owner(column + 1),
                         words_in(Method::border(height) * sizeof(Border)), 1);
  }

  const Grid& grid_;
  BlockTime time_;
  std::vector<profile::Superstep> steps_;
};

// Times of blocks that are measured for each shape, while all processes compute.
template <class Method>
class MeasuredBlocks {
  using Code = typename Method::Code;

 public:
  // `x` and `y` are the parts of this process, each in a slot of Parts::length characters. The
  // method computes blocks of them that count for nothing.
  MeasuredBlocks(const Grid& grid, Method& method, std::span<const Code> x, std::span<const Code> y)
      : grid_(grid),
        method_(method),
        x_(x),
        y_(y),
        border_(Method::border(grid.y.length)),
        right_(static_cast<std::size_t>(grid.alpha) * border_) {}

  // All processes measure the same shapes, for so many seconds each. A block has other characters
  // and borders than the one before it, as in a run.
  double operator()(std::size_t width, std::size_t height, double enough = support::long_enough) {
    const auto [place, fresh] = known_.try_emplace({width, height}, 0.0);
    if (!fresh || width == 0 || height == 0) return place->second;
    Method::begin(right_);
    const auto work = [&](int run) {
      const int slot = run % grid_.alpha, row = (run + run / grid_.alpha) % grid_.alpha;
      method_.block(slot, x_.subspan(static_cast<std::size_t>(slot) * grid_.x.length, width),
                    y_.subspan(static_cast<std::size_t>(row) * grid_.y.length, height),
                    &right_[static_cast<std::size_t>(row) * border_]);
    };
    place->second = support::seconds_while_all_busy(work, enough);
    return place->second;
  }

 private:
  const Grid& grid_;
  Method& method_;
  std::span<const Code> x_, y_;
  std::size_t border_;  // values of the right border of a block
  std::vector<typename Method::Border> right_;
  std::map<std::pair<std::size_t, std::size_t>, double> known_;
};

}  // namespace llcs
