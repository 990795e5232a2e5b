// SPDX-License-Identifier: BSD-3-Clause
// Finds by which values of the tuning table data moves fastest here: the way and the window of
// fragments, copies, packets, and from which length on one copy is faster than two. Some of it is
// learned while a job runs, and then begins with these values. Each row is measured with the best
// values of those before it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tutti::tools {

struct MeasuredRow {
  std::string row;
  std::string value;   // the best one
  std::string source;  // what was measured, with the times of all values
};

// Measures with two processes. Calls `step` after each of move_steps() jobs.
[[nodiscard]] std::vector<MeasuredRow> measure_moves(const std::function<void()>& step);
[[nodiscard]] int move_steps();

// Returns the table [tuning] of a profile: these rows, and those of the table `before` that were
// not measured.
[[nodiscard]] std::string tuning_toml(const std::vector<MeasuredRow>& rows,
                                      const std::string& before);

}  // namespace tutti::tools
