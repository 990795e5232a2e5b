// SPDX-License-Identifier: BSD-3-Clause
// Writes what `tutti tune` tells of a measurement, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tune/fit.hpp"
#include "tune/moves.hpp"
#include "tune/plans.hpp"
#include "tune/rates.hpp"

namespace tutti::tools {

// The results for the price in shared memory.
struct Prices {
  RateFit fit;
  ComparedPlans compared;
};

struct Findings {
  const std::string& file;
  bool written;
  bool plans_compared;         // also the rates in shared memory, else neither
  const std::string& profile;  // as TOML, without rows
  const TuneResult& result;
  const Prices& prices;
  const std::vector<MeasuredRow>& moves;
  const std::vector<std::string>& changes;  // of rows, one line each
};

[[nodiscard]] std::string to_text(const Findings& found);
[[nodiscard]] nlohmann::json to_json(const Findings& found);

}  // namespace tutti::tools
