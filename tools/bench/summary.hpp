// SPDX-License-Identifier: BSD-3-Clause
// Samples become figures: per placement, with the model's prediction and the other library's
// figures beside them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/runs.hpp"
#include "machine/profile.hpp"
#include "machine/topology.hpp"
#include "selection/strategies.hpp"

namespace tutti::tools {

struct Figures {
  int samples = 0;
  double minimum = 0, median = 0, p95 = 0;  // us
  double spread = 0;  // what the middle half of the values spans, over the median
  // A few values more or less would give another median.
  [[nodiscard]] bool is_unsteady() const { return samples >= 4 && spread > 0.5; }
};
[[nodiscard]] Figures figures_of(std::vector<double> values);
[[nodiscard]] std::vector<double> times_in(const Series& series, const std::string& placement);

struct PlacementRow {
  std::string placement;
  Figures ours;
  std::optional<double> predicted;  // us; nothing where the costs of the algorithm are not stated
  std::optional<Figures> theirs;
  [[nodiscard]] std::optional<double> ratio() const {  // above 1: ours takes longer
    if (!theirs) return std::nullopt;
    return ours.median / theirs->median;
  }
};

struct CellRow {
  BenchCell cell;
  bool verified = false;
  std::string algorithm;                 // with settings
  std::vector<PlacementRow> placements;  // those that occurred; mixed only if no other did
};

// The rates that hold in a placement: the profile's own for it (alpha_near and so on) where it has
// them.
[[nodiscard]] selection::Rates rates_in(const machine::Profile& profile,
                                        const std::string& placement);

// In the order of `plan`. The model counts messages on `network`, if there is one.
[[nodiscard]] std::vector<CellRow> summarize(const std::map<std::string, Library>& libraries,
                                             const BenchPlan& plan, const machine::Profile& profile,
                                             const machine::Topology* network = nullptr);

}  // namespace tutti::tools
