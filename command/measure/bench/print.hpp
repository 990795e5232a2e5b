// SPDX-License-Identifier: BSD-3-Clause
// Declares how results of `tutti bench` are printed, as a table for people and as JSON and CSV for
// programs.
#pragma once

#include <string>
#include <vector>

#include "bench/summary.hpp"

namespace tutti::tools {

struct BenchReport {
  const BenchPlan& plan;
  const machine::Profile& profile;
  const std::vector<CellRow>& rows;
  const std::vector<std::string>& left_out;
  const std::string& busy;  // why the measurement was disturbed; empty if it was not
};

[[nodiscard]] std::string bench_table(const BenchReport& report);
[[nodiscard]] std::string bench_json(const BenchReport& report);
[[nodiscard]] std::string bench_csv(const BenchReport& report);

}  // namespace tutti::tools
