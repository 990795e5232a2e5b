// SPDX-License-Identifier: BSD-3-Clause
// Turns measurements of `tutti tune` into a machine profile.
#pragma once

#include <string>
#include <vector>

#include "bench/runs.hpp"
#include "tune/fit.hpp"
#include "tune/local.hpp"

namespace tutti::tools {

// A fit over the medians of one placement, and the number of samples behind them.
struct PlacedFit {
  std::string placement;
  int samples = 0;
  Fit fit;
};

// A fit of alpha and beta to the messages of a range of sizes.
struct RangeFit {
  std::string name;  // inline, short, long
  std::int64_t from = 0, to = 0;
  Fit fit;
};

struct TuneResult {
  BenchPlan plan;
  Library measured;
  LocalCosts local;
  std::vector<PlacedFit> placements;  // the one with most samples first; never empty
  std::vector<RangeFit> ranges;       // fits for the first placement
  std::string busy;                   // why the measurement was disturbed; empty if it was not
};

// Computes fits from the measurements. Throws base::Error(system_error) if there are too few.
[[nodiscard]] TuneResult fit_all(BenchPlan plan, Library measured, LocalCosts local);

// Returns TOML that machine::parse reads.
[[nodiscard]] std::string profile_text(const TuneResult& result);
// Returns a few lines for people.
[[nodiscard]] std::string summary_text(const TuneResult& result);

}  // namespace tutti::tools
