// SPDX-License-Identifier: BSD-3-Clause
// Small wrong changes to schedules: what a checker is worth shows in which of them it misses.
#pragma once

#include <string>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti {

// The Programs of all ranks.
using Schedule = std::vector<schedule::Program>;

struct Edit {
  enum class Kind {
    partner,
    swap_operands,
    first_block,
    block_count,
    drop_op,
    drop_round,
    swap_ops
  };
  Kind kind{};
  int rank = 0, round = 0, op = 0;
  int operand = -1;  // -1: of the op itself
  int block = 0;
  int by = 0;
};

// Every edit that changes something: another partner, two operands exchanged, a block one further
// or one longer or shorter, an operation or a round of one rank left out, two neighbouring
// operations exchanged.
std::vector<Edit> edits_of(const Schedule& schedule);

Schedule edited(Schedule schedule, const Edit& edit);

// "rank 2, round 1, send output[0] -> 3: partner + 1".
std::string describe(const Schedule& schedule, const Edit& edit);

}  // namespace tutti
