// SPDX-License-Identifier: BSD-3-Clause
#include "prediction.hpp"

#include <tutti/tutti_runtime.h>

#include "numbers.hpp"
#include "processor_clock.hpp"

namespace exchange {
namespace {

constexpr double bytes_in_a_word = 8;

// Combines the values of all ranks, element by element.
std::vector<double> combined(std::vector<double> mine, tutti_op how) {
  std::vector<double> all(mine.size());
  const auto count = static_cast<std::int64_t>(mine.size());
  const tutti_data from = tutti_array(mine.data(), count, TUTTI_DOUBLE),
                   to = tutti_array(all.data(), count, TUTTI_DOUBLE);
  tutti_allreduce(tutti_world(), &from, &to, how);
  return all;
}

// Measures the computations of each run. A superstep lasts until the slowest rank has ended, so of
// each run the slowest counts. Ranks that share processors take turns, so there it is the time that
// a processor needs for all of them.
class Samples {
 public:
  Samples(Program& program, int runs)
      : program_(program),
        shared_(Exchange::ranks() > tutti_processors()),
        clock_(shared_),
        stages_(static_cast<std::size_t>(program.exchanges()) + 1) {
    std::vector<double> mine;
    run();  // touches memory
    for (int i = 0; i < runs; ++i)
      for (const double seconds : run()) mine.push_back(seconds);
    seconds_ = combined(std::move(mine), shared_ ? TUTTI_SUM : TUTTI_MAX);
  }

  // Returns the seconds of the rank that computes most in a stage.
  [[nodiscard]] double of(std::size_t stage) const {
    std::vector<double> values;
    for (std::size_t i = stage; i < seconds_.size(); i += stages_) values.push_back(seconds_[i]);
    double together = 0;  // such ranks that compute as much as all
    for (int rank = 0; rank < Exchange::ranks(); ++rank)
      together += program_.share(static_cast<int>(stage), rank);
    return support::middle_mean(std::move(values)) / (shared_ ? together : 1);
  }

 private:
  std::vector<double> run() {
    std::vector<double> seconds;
    program_.begin();
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      tutti_barrier(tutti_world());
      const double start = clock_.now();
      program_.compute(static_cast<int>(stage));
      seconds.push_back(clock_.now() - start);
      if (stage + 1 < stages_) program_.pretend(static_cast<int>(stage));
    }
    return seconds;
  }

  Program& program_;
  bool shared_;
  support::ProcessorClock clock_;
  std::size_t stages_;
  std::vector<double> seconds_;  // by run and stage
};

}  // namespace

std::vector<profile::Superstep> supersteps_of(Program& program, int runs) {
  const Samples samples(program, runs);
  std::vector<profile::Superstep> steps;
  for (int stage = 0; stage <= program.exchanges(); ++stage) {
    profile::Superstep& step = steps.emplace_back(profile::empty_superstep(Exchange::ranks()));
    const double most = samples.of(static_cast<std::size_t>(stage));
    for (int rank = 0; rank < Exchange::ranks(); ++rank) {
      profile::Work& work = step.processes[static_cast<std::size_t>(rank)];
      work.compute = most * program.share(stage, rank);
      if (stage == program.exchanges()) continue;
      const Program::Moved moved = program.moved(stage, rank);
      work.of(profile::Access::exchange) = {moved.out / bytes_in_a_word, moved.in / bytes_in_a_word,
                                            static_cast<double>(Exchange::ranks() - 1)};
    }
  }
  return steps;
}

}  // namespace exchange
