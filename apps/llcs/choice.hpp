// SPDX-License-Identifier: BSD-3-Clause
// The choice of alpha for the bit-parallel algorithm: the number of columns of blocks that is
// predicted to take the least time. Large blocks are computed at the kernel's full speed and need
// few supersteps; with small ones the processes wait less at the begin and the end.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tutti-bsp/bsp.hpp>
#include <vector>

#include "methods.hpp"
#include "numbers.hpp"
#include "prediction.hpp"
#include "pricing.hpp"

namespace llcs {

// The times of blocks of any shape, from a few square ones that are measured. A block counts as the
// square whose sides are its shorter side.
template <class Code>
class KernelTime {
 public:
  KernelTime(BitKernel<Code>& kernel, std::size_t alphabet, std::size_t longest) {
    constexpr std::size_t shortest = 64, factor = 4;
    constexpr double enough = 0.003;  // seconds for each size, as the choice must cost little
    for (std::size_t side = shortest;; side *= factor) {
      const auto part = static_cast<std::size_t>(BSPWrapper::P) * side;
      const Grid grid{BSPWrapper::P, 1, cut(part, BSPWrapper::P, 1), cut(part, BSPWrapper::P, 64)};
      BitParallel<Code> method(grid, kernel);
      std::vector<Code> codes(side);
      for (std::size_t i = 0; i < side; ++i)
        codes[i] = static_cast<Code>(support::mixed(i) % std::max<std::size_t>(alphabet, 1));
      MeasuredBlocks<BitParallel<Code>> blocks(grid, method, codes, codes);
      const auto length = static_cast<double>(side);
      known_[std::log2(length)] = blocks(side, side, enough) / (length * length);
      if (side >= kernel.full_speed() || side >= longest) return;
    }
  }

  double operator()(std::size_t width, std::size_t height) const {
    if (width == 0 || height == 0) return 0;
    const double pairs = static_cast<double>(width) * static_cast<double>(height);
    return pairs * seconds_of_pair(std::log2(static_cast<double>(std::min(width, height))));
  }

 private:
  // Linear between the logarithms of the measured sides.
  [[nodiscard]] double seconds_of_pair(double side) const {
    const auto above = known_.lower_bound(side);
    if (above == known_.end()) return known_.rbegin()->second;
    if (above == known_.begin()) return above->second;
    const auto below = std::prev(above);
    const double part = (side - below->first) / (above->first - below->first);
    return below->second + part * (above->second - below->second);
  }

  std::map<double, double> known_;  // seconds of a pair of characters, by log2 of the side
};

struct Choice {
  int alpha = 1;
  double predicted_s = 0;  // 0: there was no choice
};

// Returns the grid of blocks for strings of these lengths.
template <class Method>
Grid grid_of(int processes, int alpha, std::size_t x, std::size_t y) {
  return {processes, alpha, cut(x, alpha * processes, 1), cut(y, alpha * processes, Method::unit)};
}

// All processes call it, and choose the same.
template <class Code>
Choice chosen_alpha(BitKernel<Code>& kernel, std::size_t alphabet, std::size_t x, std::size_t y,
                    const std::string& machine, Supersteps supersteps) {
  constexpr int most_blocks = 512;  // in a row; the prediction visits the square of it
  const int p = BSPWrapper::P;
  const profile::Pricing pricing(machine, p);
  Choice best;
  if (p == 1) return best;
  const KernelTime<Code> time(kernel, alphabet, std::min(x, y));
  best.predicted_s = std::numeric_limits<double>::infinity();
  for (const int alpha : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32}) {
    const bool fine = alpha > 1 && (alpha * p > most_blocks ||
                                    std::min(x, y) / 64 < static_cast<std::size_t>(alpha * p));
    if (fine) break;
    const Grid grid = grid_of<BitParallel<Code>>(p, alpha, x, y);
    const double seconds =
        pricing.seconds(Prediction<BitParallel<Code>>(grid, time).supersteps(supersteps));
    if (seconds < best.predicted_s) best = {alpha, seconds};
  }
  // Hosts may have been measured apart.
  BSPWrapper::Broadcast(0, sizeof best, &best, &best);
  return best;
}

}  // namespace llcs
