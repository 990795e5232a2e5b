// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a collective call (operands, operator, counts) and what each operation requires
// of them. Groups and plans use them.
#pragma once

#include "data/operator.hpp"
#include "engine/counts.hpp"
#include "engine/overlap.hpp"
#include "schedule/generator.hpp"
#include "transport/wait_end.hpp"

namespace tutti::engine {

// Memory for the ranks of a located operator's winners: one group rank per element.
struct Locations {
  std::int32_t* ranks = nullptr;
  data::Layout layout;
  int distance_root = 0;
};

struct Arguments {
  const CallOperand* input = nullptr;   // unused in a broadcast
  const CallOperand* output = nullptr;  // in a broadcast: the data
  const data::Operator* op = nullptr;
  const Locations* locations = nullptr;
  RankCounts counts{};
  transport::GiveUp question{};  // asked by the waits of a blocking call
};

// Says which operands an operation uses on a rank, and which of those are the whole vector.
struct OperandNeeds {
  bool input = false, output = false;
  bool input_is_whole = false, output_is_whole = false;
};
[[nodiscard]] OperandNeeds needs_of(schedule::Operation operation, bool is_root);

// One rank's role in the call of an operation.
struct Caller {
  schedule::Operation operation{};
  int root = 0;
  int rank = 0;
  int p = 1;
  bool in_place = true;  // the schedule serves operands that are the same memory
};

// Returns the elements of the whole vector, or of the rank's own part where it knows no more.
// Throws Error(invalid_argument) if counts are negative or a product or sum is too large.
[[nodiscard]] std::int64_t vector_elements(const Caller& caller, const Arguments& arguments);

// Throws Error(invalid_argument) unless the operands are those the operation needs on this rank.
void check_arguments(const Caller& caller, const Arguments& arguments);

}  // namespace tutti::engine
