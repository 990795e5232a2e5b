// SPDX-License-Identifier: BSD-3-Clause
// Turns samples into figures for each placement, beside the model's prediction and the figures of
// the other library.
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
  double lower = 0, upper = 0;              // quartiles, us
  // Returns the range of the middle half of the values, over the median.
  [[nodiscard]] double spread() const { return (upper - lower) / median; }
  // Returns true if a few values more or less would move the median.
  [[nodiscard]] bool is_unsteady() const { return samples >= 4 && spread() > 0.5; }
};
[[nodiscard]] Figures figures_of(std::vector<double> values);
[[nodiscard]] std::vector<double> times_in(const Series& series, const std::string& placement);

struct PlacementRow {
  std::string placement;
  Figures ours;
  std::optional<double> predicted;  // us; empty if the costs of the algorithm are not stated
  std::optional<Figures> theirs;
  // Returns the ratio of the medians; above 1, tutti takes longer than the other library.
  [[nodiscard]] std::optional<double> ratio() const {
    if (!theirs) return std::nullopt;
    return ours.median / theirs->median;
  }
};

struct CellRow {
  BenchCell cell;
  bool verified = false;
  std::string algorithm;                 // name with settings
  std::vector<PlacementRow> placements;  // those that occurred; mixed only if no other did
};

// Returns the rates for a placement. The profile's rates for that placement (such as alpha_near)
// replace its general ones where it has them.
[[nodiscard]] selection::Rates rates_in(const machine::Profile& profile,
                                        const std::string& placement);

// Summarizes the cells in the order of `plan`. If `network` is given, the model counts the messages
// that share its links.
[[nodiscard]] std::vector<CellRow> summarize(const std::map<std::string, Library>& libraries,
                                             const BenchPlan& plan, const machine::Profile& profile,
                                             const machine::Topology* network = nullptr);

}  // namespace tutti::tools
