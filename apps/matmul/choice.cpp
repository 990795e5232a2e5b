// SPDX-License-Identifier: BSD-3-Clause
#include "choice.hpp"

#include <fmt/format.h>

#include <complex>
#include <limits>
#include <stdexcept>

#include "bsp/machine.hpp"

namespace matmul {
namespace {

tutti::tools::Superstep costs_of(const profile::Superstep& step) {
  tutti::tools::Superstep costs;
  for (const profile::Work& work : step) {
    tutti::tools::Work& process = costs.processes.emplace_back();
    process.compute = work.seconds;
    for (std::size_t i = 0; i < profile::accesses; ++i) {
      const profile::Work::Flow& flow = work.flows[i];
      process.flows[i] = {flow.out,    flow.in,  flow.messages,
                          flow.served, flow.own, flow.own_messages};
    }
  }
  return costs;
}

// Compares candidates and keeps the best.
class Contest {
 public:
  Contest(Options& options, int processes) : options_(options) {
    const tutti::tools::Subject subject =
        options.machine.empty() ? tutti::tools::host_subject(processes)
                                : tutti::tools::subject_of({options.machine, processes});
    if (subject.processes != processes)
      throw std::runtime_error(fmt::format("'{}' is a machine of {} processes, not of {}",
                                           options.machine, subject.processes, processes));
    machine_ = subject.machine;
  }

  void enter(const std::vector<profile::Superstep>& steps, Mode mode, const Cube& cube,
             int blocks) {
    std::vector<tutti::tools::Superstep> costs;
    for (const profile::Superstep& step : steps) costs.push_back(costs_of(step));
    const double seconds = predicted(machine_, costs, tutti::tools::Model::by_process);
    if (seconds >= least_) return;
    least_ = options_.predicted_s = seconds;
    options_.mode = mode;
    options_.cube = cube;
    options_.blocks = blocks;
  }

 private:
  Options& options_;
  tutti::tools::BspMachine machine_;
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
