// SPDX-License-Identifier: BSD-3-Clause
// Measurements of `tutti tune` as a machine profile.
#pragma once

#include <string>
#include <vector>

#include "bench/runs.hpp"
#include "tune/fit.hpp"
#include "tune/local.hpp"

namespace tutti::tools {

// A fit over the medians of one placement, and how many samples these come from.
struct PlacedFit {
  std::string placement;
  int samples = 0;
  Fit fit;
};

// Messages of a range of sizes fitted by themselves: alpha and beta only.
struct RangeFit {
  std::string name;  // inline, short, long
  std::int64_t from = 0, to = 0;
  Fit fit;
};

struct TuneResult {
  BenchPlan plan;
  Library measured;
  LocalCosts local;
  std::vector<PlacedFit> placements;  // most samples first, never empty
  std::vector<RangeFit> ranges;       // of the first placement
  std::string busy;                   // why the measurement was disturbed, empty if it was not
};

// What was measured becomes fits. Throws base::Error(system_error) if there is too little.
[[nodiscard]] TuneResult fit_all(BenchPlan plan, Library measured, LocalCosts local);

// TOML; machine::parse reads it.
[[nodiscard]] std::string profile_text(const TuneResult& result);
// A few lines for people.
[[nodiscard]] std::string summary_text(const TuneResult& result);

}  // namespace tutti::tools
