// SPDX-License-Identifier: BSD-3-Clause
// How long a piece of work takes while all processes do it, for predictions.
#pragma once

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstring>
#include <tutti-bsp/bsp.hpp>
#include <vector>

#include "numbers.hpp"

namespace support {

// Copies the larger of two doubles: an operator for BSPWrapper::Fold.
inline void larger_double(char* result, char* left, char* right, int*) {
  double x = 0, y = 0;
  std::memcpy(&x, left, sizeof x);
  std::memcpy(&y, right, sizeof y);
  x = std::max(x, y);
  std::memcpy(result, &x, sizeof x);
}

// Returns the median of some runs of the slowest process, in seconds. All processes call it.
// Processes that share processors take turns, so there a run lasts until all have ended.
template <class Work>
double seconds_while_all_busy(const Work& work) {
  constexpr int runs = 7;
  const bool shared = BSPWrapper::P > tutti_processors();
  std::vector<double> seconds;
  for (int i = 0; i <= runs; ++i) {  // the first run is not timed: it touches memory
    BSPWrapper::Sync();
    const double start = BSPWrapper::Time();
    work();
    if (shared) BSPWrapper::Sync();
    if (i > 0) seconds.push_back(BSPWrapper::Time() - start);
  }
  double typical = median(seconds), slowest = 0;
  BSPWrapper::Fold(&typical, &slowest, sizeof typical, larger_double);
  return slowest;
}

}  // namespace support
