// SPDX-License-Identifier: BSD-3-Clause
#include "choice.hpp"

#include <complex>
#include <limits>

#include "pricing.hpp"

namespace matmul {
namespace {

// Compares candidates and keeps the best.
class Contest {
 public:
  Contest(Options& options, int processes)
      : options_(options), pricing_(options.machine, processes) {}

  void enter(const std::vector<profile::Superstep>& steps, Mode mode, const Cube& cube,
             int blocks) {
    const double seconds = pricing_.seconds(steps);
    if (seconds >= least_) return;
    least_ = options_.predicted_s = seconds;
    options_.mode = mode;
    options_.cube = cube;
    options_.blocks = blocks;
  }

 private:
  Options& options_;
  profile::Pricing pricing_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void choose(Options& options, int processes, double words, const Rate& rate) {
  Contest contest(options, processes);
  const int blocks = options.blocks;
  for (const Cube& cube : cubes(processes))
    contest.enter(supersteps_by_split(options.sizes, cube, processes, words, rate), Mode::split,
                  cube, blocks);
  for (const int q : {8, 27, 64})
    contest.enter(
        supersteps_by_blocks(options.sizes, {cube_root(q), options.dealt, options.primitive},
                             processes, words, rate),
        Mode::blocks, {}, q);
  // Hosts may have been measured apart.
  struct {
    Mode mode;
    Cube cube;
    int blocks;
    double predicted_s;
  } best{options.mode, options.cube, options.blocks, options.predicted_s};
  BSPWrapper::Broadcast(0, sizeof best, &best, &best);
  options.mode = best.mode;
  options.cube = best.cube;
  options.blocks = best.blocks;
  options.predicted_s = best.predicted_s;
}

template <class T>
Rate common_rate() {
  constexpr int side = 256;
  const double seconds = measured_rate<T>()(side, side, side);
  return [seconds](int m, int n, int k) {
    return seconds * (1.0 * m / side) * (1.0 * n / side) * (1.0 * k / side);
  };
}
template Rate common_rate<float>();
template Rate common_rate<double>();
template Rate common_rate<std::complex<double>>();

}  // namespace matmul
