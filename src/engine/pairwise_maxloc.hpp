// SPDX-License-Identifier: BSD-3-Clause
// Combines with location between two ranks that send each other only their own values; plans use
// it. Values then travel as they lie in the caller's memory, without distances, because the
// receiver knows whose they are. Winners and their ranks are written in one pass.
#pragma once

#include <cstdint>

#include "data/operator.hpp"
#include "engine/arguments.hpp"
#include "engine/lowered.hpp"
#include "schedule/generator.hpp"

namespace tutti::engine {

class PairwiseMaxloc {
 public:
  // Returns true if both ranks send only their own values in this schedule, and each combines once
  // at most. The result is equal on both ranks.
  [[nodiscard]] static bool suit(const schedule::Generator& generator,
                                 const schedule::Shape& shape);

  // `plan` is the plan of rank `me`, 0 or 1.
  PairwiseMaxloc(const LoweredPlan& plan, int me);
  PairwiseMaxloc(const PairwiseMaxloc&) = delete;
  PairwiseMaxloc& operator=(const PairwiseMaxloc&) = delete;

  // Prepares an execution by the operator `located`. Without `where`, nobody wants the winners'
  // ranks.
  void begin(const data::Operator& located, const Locations* where);
  // Repeats the last begin() with new memory for the ranks, which are contiguous.
  void begin_again(const Locations& where);
  // Returns the operator for the execution, which combines from the first element to the last.
  // Valid until the next begin().
  [[nodiscard]] const data::Operator& op() const { return op_; }

 private:
  static void combine(void* result, const void* left, const void* right, std::int64_t count,
                      void* self);
  void place(std::int32_t* ranks, int distance_root);

  int left_rank_;  // rank of the left operand, as the plan combines them
  data::JoinFn join_ = nullptr;
  std::int64_t value_bytes_ = 0;
  data::Operator op_;
  data::TwoRanks ranks_;
  std::int32_t* place_ = nullptr;
  data::Layout layout_;
  std::int64_t position_ = 0;  // number of elements combined
};

}  // namespace tutti::engine
