// SPDX-License-Identifier: BSD-3-Clause
// Makes small wrong changes (edits) to schedules. mutation_test.cpp checks that tests notice them.
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

// Returns every edit that changes the schedule: another partner, a block one further, longer or
// shorter, two operands or two neighbouring operations exchanged, an operation or a round of one
// rank left out.
std::vector<Edit> edits_of(const Schedule& schedule);

Schedule edited(Schedule schedule, const Edit& edit);

// Returns a text such as "rank 2, round 1, send output[0] -> 3: partner + 1".
std::string describe(const Schedule& schedule, const Edit& edit);

}  // namespace tutti
