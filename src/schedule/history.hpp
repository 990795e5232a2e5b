// SPDX-License-Identifier: BSD-3-Clause
// A record, cell by cell, of everything that the verifier saw while it ran a schedule. Pictures are
// drawn from it.
#pragma once

#include <optional>
#include <vector>

#include "schedule/memory.hpp"

namespace tutti::schedule {

struct CellHistory {
  // One summand, or all that is stored. Where `rank` is another rank it is a message, whose cells
  // are those of the sender before the round.
  struct Source {
    int rank;
    std::vector<int> cells;
  };
  // A store of one operation in the cells of `rank`: the sum of its sources.
  struct Write {
    int rank;
    std::vector<int> cells;
    std::vector<Source> sources;
  };
  std::vector<std::vector<Write>> rounds;
  // The values of all cells before the first round and after each. A barrier has no cells; what
  // stands here is who has heard of whom: cell rank * p + other holds leaf(other, 0).
  std::vector<std::vector<Value>> states;
  std::optional<Memory> memory;  // after the last round
};

}  // namespace tutti::schedule
