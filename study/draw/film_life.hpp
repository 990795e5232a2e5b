// SPDX-License-Identifier: BSD-3-Clause
// Tells when the value of a cell is needed. It is found backwards from the results: before a write,
// the written cell is not needed, and the cells that are read for it are.
#pragma once

#include <vector>

#include "schedule/history.hpp"

namespace tutti::draw {

// The cells that are needed before the first round, and those that change in each round.
struct Lifetimes {
  std::vector<bool> first;
  std::vector<std::vector<int>> changes;
};

// `last` says which cells are needed after the last round.
[[nodiscard]] Lifetimes lifetimes_of(
    const std::vector<std::vector<schedule::ScheduleHistory::Write>>& rounds,
    std::vector<bool> last);

}  // namespace tutti::draw
