// SPDX-License-Identifier: BSD-3-Clause
// One algorithm, or one implementation of paper 004, on one machine with one size: simulated once
// or several times, and what its formula says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "selection/policy.hpp"
#include "simulate/simulate.hpp"
#include "simulation/implementations.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {

struct Candidate {
  std::string name;               // "tree:branches=2", "pairwise_F"
  selection::Forced algorithm{};  // without a generator it is an implementation
  Exchange exchange{};
  bool best_partition = false;  // all partitions are tried
};

struct Setting {
  machine::Machine machine;
  schedule::Operation operation = schedule::Operation::alltoall;
  int ranks = 1;
  int root = 0;
  std::optional<Sync> sync{};  // instead of none, and of what an implementation does
  std::uint64_t seed = 1;
  int runs = 1;  // with seed, seed + 1, ...
  std::size_t top = 5;
  Sizes::Of sized_by = Sizes::Of::vector;  // how sizes were asked for
};

struct Outcome {
  std::string name;  // with the partition that was best
  Sync sync = Sync::none;
  Extent extent{};                       // the blocks of an implementation are of equal size
  std::int64_t asked = 0;                // the size as it was asked for, by which maps are sorted
  double least = 0, mean = 0, most = 0;  // the time of all runs
  std::optional<double> formula{};       // nothing if the algorithm states none
  simulate::Report report{};             // of the first run
};

// Throws base::Error(invalid_argument) if the candidate is not defined here, simulate::Failure if
// it does not come to an end. `observer` sees the first run.
[[nodiscard]] Outcome simulated(const Candidate& candidate, const Setting& setting,
                                const Extent& extent, simulate::Observer* observer = nullptr);

// Of implementations what they do, of algorithms nothing, unless the setting says otherwise.
[[nodiscard]] Sync sync_of(const Candidate& candidate, const Setting& setting);

}  // namespace tutti::tools
