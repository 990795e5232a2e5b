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
    std::vector<Source> sources;
  };
  std::vector<std::vector<Write>> rounds;
  // The values of all cells before the first round and after each. A barrier has no memory; its
  // cell rank * p + other holds leaf(other, 0) if `rank` knows that `other` has arrived.
  std::vector<std::vector<Value>> states;
  std::optional<Memory> memory;  // after the last round
};

}  // namespace tutti::schedule
