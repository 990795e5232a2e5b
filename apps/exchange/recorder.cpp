// SPDX-License-Identifier: BSD-3-Clause
#include "recorder.hpp"

#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

#include "exchange.hpp"
#include "numbers.hpp"

namespace exchange {
namespace {

constexpr double bytes_in_a_word = 8;

// Returns the values of all ranks one after the other on rank 0, and nothing elsewhere.
std::vector<double> gathered(std::vector<double> mine) {
  std::vector<double> all(
      Exchange::rank() == 0 ? mine.size() * static_cast<std::size_t>(Exchange::ranks()) : 0);
  const tutti_data from = tutti_array(mine.data(), static_cast<std::int64_t>(mine.size()),
                                      TUTTI_DOUBLE),
                   to =
                       tutti_array(all.data(), static_cast<std::int64_t>(all.size()), TUTTI_DOUBLE);
  tutti_gather(tutti_world(), &from, &to, 0);
  return all;
}

}  // namespace

Recorder::Recorder() : clock_(Exchange::ranks() > tutti_processors()) {}

void Recorder::begin() {
  runs_.emplace_back();
  leave();
}

void Recorder::end() {
  arrive(0, 0);
}

void Recorder::arrive(double out, double in) {
  runs_.back().push_back({clock_.now() - start_, out / bytes_in_a_word, in / bytes_in_a_word});
}

void Recorder::leave() {
  tutti_barrier(tutti_world());
  start_ = clock_.now();
}

std::vector<profile::Superstep> Recorder::supersteps() const {
  std::vector<profile::Superstep> steps;
  const auto others = static_cast<double>(Exchange::ranks() - 1);
  for (std::size_t step = 0; step < runs_[0].size(); ++step) {
    std::vector<double> seconds;
    for (const std::vector<Step>& run : runs_) seconds.push_back(run[step].seconds);
    const std::vector<double> all =
        gathered({support::median(seconds), runs_[0][step].out, runs_[0][step].in});
    steps.emplace_back();
    for (std::size_t i = 0; i < all.size(); i += 3) {
      profile::Work& work = steps.back().emplace_back();
      work.seconds = all[i];
      if (step + 1 < runs_[0].size())
        work.of(profile::Access::exchange) = {all[i + 1], all[i + 2], others};
    }
  }
  return steps;
}

}  // namespace exchange
