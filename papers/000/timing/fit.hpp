// SPDX-License-Identifier: BSD-3-Clause
// Computes from measured points what paper 000 does: least squares, the relative error of points
// that were measured again, and the best topology.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "papers/000/blacs_model.hpp"
#include "papers/000/timing/timings.hpp"

namespace tutti::papers {

// Returns the line with the least sum of squares. Throws base::Error if all points have the same n.
[[nodiscard]] Line least_squares(const std::vector<TimingPoint>& points);

// Times of some lengths may be measured at several distances of the processors. All functions below
// use the runs at the distance that is most frequent in the series; all runs if there is none.
// `place` asks for the runs at another distance.
[[nodiscard]] std::vector<const TimingRun*> runs_of(const TimingSeries& series, TimingKind kind,
                                                    const std::string& place = "");
[[nodiscard]] std::string main_place(const TimingSeries& series);

// The points of all lengths, each the median of what the runs gave. The lengths that were measured
// again have more values. The source has a median of its own.
[[nodiscard]] std::vector<TimingPoint> medians(const TimingSeries& series,
                                               const std::string& place = "");
// Returns such medians of one kind of runs.
[[nodiscard]] std::vector<TimingPoint> medians_of(const TimingSeries& series, TimingKind kind);

// The fit of medians().
[[nodiscard]] Line fit_of(const TimingSeries& series, const std::string& place = "");
[[nodiscard]] Line small_fit_of(const TimingSeries& series);

// Returns 100 (max - min) / average at the length where it is largest (section 3.3). Length 0 does
// not count. Empty if no length was measured twice.
[[nodiscard]] std::optional<double> relative_error(const TimingSeries& series);

// Returns the topology whose broadcasts or sums are the shortest over all lengths. It compares the
// loops of one call, in which rings gain nothing from following each other. The library's own
// choice (TOP = ' ') is no candidate. Null if the library has no topologies.
[[nodiscard]] const TimingSeries* best_topology(const Timings& timings, const std::string& program,
                                                const std::string& library, int p);

}  // namespace tutti::papers
