// SPDX-License-Identifier: BSD-3-Clause
// The verifier records here how the values of all cells come about. Pictures are drawn from it.
#pragma once

#include <optional>
#include <vector>

#include "schedule/memory.hpp"

namespace tutti::schedule {

struct ScheduleHistory {
  // One summand, or the only source of a write. If `rank` is another rank, the source is a message,
  // and its cells are those of the sender before the round.
  struct Source {
    int rank;
    std::vector<int> cells;
  };
  // One operation stores the sum of its sources in the cells of `rank`.
  struct Write {
    int rank;
    std::vector<int> cells;
    std::vector<Value> values;  // of these cells, after the write
    std::vector<Source> sources;
  };
  std::vector<Value> start;  // the values of all cells before the first round
  // The writes of each round. If a round is wrong, it is the last one and has those before the
  // fault. A barrier has no memory; the writes of its receives have no cells.
  std::vector<std::vector<Write>> rounds;
  std::optional<Memory> memory;  // after the last round, or at the fault
};

}  // namespace tutti::schedule
