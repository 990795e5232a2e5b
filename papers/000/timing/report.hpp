// SPDX-License-Identifier: BSD-3-Clause
// The tables and figures of paper 000 for this machine, made of measured times.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "papers/000/timing/timings.hpp"
#include "papers/common/measured.hpp"

namespace tutti::papers {

// Tables 5 to 8, 11, 12, 14 to 16, and the lengths of figures 20 to 23 and 40 to 43.
[[nodiscard]] std::vector<MeasuredTable> timing_tables(const Timings& timings);

// Figures 4 to 11, 20 to 35 and 40 to 51: one of each kind, or one for each number of processes.
[[nodiscard]] std::vector<Chart> timing_charts(const Timings& timings);

// How two runs on one machine agree. Slopes are compared at a distance of the processors that both
// have. Two topologies have an order if both runs tell them apart by more than `alike`.
struct TimingAgreement {
  int slopes = 0, within = 0;
  int pairs = 0, same_order = 0;
  std::vector<std::string> exceptions;
};
inline constexpr double alike = 0.15;
[[nodiscard]] TimingAgreement compare_timings(const Timings& now, const Timings& before);

// The two functions return what is printed. `before` is the run of --against.
[[nodiscard]] std::string timing_text(const Timings& timings, const std::optional<Timings>& before);
[[nodiscard]] nlohmann::json timing_json(const Timings& timings,
                                         const std::optional<Timings>& before);
// Throws base::Error(invalid_argument) if the folder has another page of that name.
void check_timing_page(const std::string& folder);
// Writes blacs-timing.md and its pictures into a folder. If the page is there, the text above its
// mark stays.
void write_timing_page(const Timings& timings, const std::optional<Timings>& before,
                       const std::string& folder);

}  // namespace tutti::papers
