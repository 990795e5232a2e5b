// SPDX-License-Identifier: BSD-3-Clause
// How long a piece of work takes while all processes do it, for predictions.
#pragma once

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstring>
#include <tutti-bsp/bsp.hpp>
#include <vector>

#include "numbers.hpp"
#include "processor_clock.hpp"

namespace support {

// Operators for BSPWrapper::Fold on arrays of doubles.
template <class Operation>
void fold_doubles(char* result, const char* left, const char* right, int bytes,
                  const Operation& operation) {
  for (std::size_t at = 0; at < static_cast<std::size_t>(bytes); at += sizeof(double)) {
    double x = 0, y = 0;
    std::memcpy(&x, left + at, sizeof x);
    std::memcpy(&y, right + at, sizeof y);
    x = operation(x, y);
    std::memcpy(result + at, &x, sizeof x);
  }
}
inline void larger_doubles(char* result, char* left, char* right, int* bytes) {
  fold_doubles(result, left, right, *bytes, [](double x, double y) { return std::max(x, y); });
}
inline void sum_of_doubles(char* result, char* left, char* right, int* bytes) {
  fold_doubles(result, left, right, *bytes, [](double x, double y) { return x + y; });
}

// Runs work(i) for i = 0, 1, ... while all processes run it, and returns its seconds. All processes
// call it. A superstep lasts until the slowest process has ended, so of each run the slowest
// counts. Processes that share processors take turns, so there it is the time that a processor
// needs for one of them.
// All runs take about `enough` seconds, with their synchronisation.
constexpr double long_enough = 0.04;
template <class Work>
double seconds_while_all_busy(const Work& work, double enough = long_enough) {
  constexpr int fewest = 7, most = 1000;
  const bool shared = BSPWrapper::P > tutti_processors();
  const ProcessorClock clock(shared);
  const auto timed = [&](int run) {
    BSPWrapper::Sync();
    const double start = clock.now();
    work(run);
    return clock.now() - start;
  };
  timed(0);  // touches memory
  double whole = BSPWrapper::Time(), slowest = 0;
  timed(1);
  whole = BSPWrapper::Time() - whole;
  BSPWrapper::Fold(&whole, &slowest, sizeof whole, larger_doubles);
  const auto runs = std::clamp(static_cast<int>(enough / std::max(slowest, 1e-9)), fewest, most);
  std::vector<double> mine, all(static_cast<std::size_t>(runs));
  for (int run = 0; run < runs; ++run) mine.push_back(timed(run + 2));
  BSPWrapper::Fold(mine.data(), all.data(), static_cast<int>(mine.size() * sizeof(double)),
                   shared ? sum_of_doubles : larger_doubles);
  return middle_mean(std::move(all)) / (shared ? BSPWrapper::P : 1);
}

}  // namespace support
