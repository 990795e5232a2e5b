// SPDX-License-Identifier: BSD-3-Clause
// Combining with location between two ranks that send each other nothing but their own values.
// Values then travel as they lie in the caller's memory, without distances: the receiver knows
// whose they are. Winners and their ranks are written in one pass (decision 0035).
#pragma once

#include <cstdint>

#include "data/operator.hpp"
#include "engine/arguments.hpp"
#include "engine/lowered.hpp"
#include "schedule/generator.hpp"

namespace tutti::engine {

class PairwiseMaxloc {
 public:
  // Whether the schedule is of that kind. Equal on both ranks.
  [[nodiscard]] static bool suit(const schedule::Generator& generator,
                                 const schedule::Shape& shape);

  // `plan` is that of rank `me`, 0 or 1.
  PairwiseMaxloc(const LoweredPlan& plan, int me);
  PairwiseMaxloc(const PairwiseMaxloc&) = delete;
  PairwiseMaxloc& operator=(const PairwiseMaxloc&) = delete;

  // Before an execution by `located`. Without `where` the winners' ranks are not wanted.
  void begin(const data::Operator& located, const Locations* where);
  // The same as the last time but for where ranks go; they are contiguous.
  void begin_again(const Locations& where);
  // What the execution combines by, from the first element to the last. Valid until the next
  // begin().
  [[nodiscard]] const data::Operator& op() const { return op_; }

 private:
  static void combine(void* result, const void* left, const void* right, std::int64_t count,
                      void* self);
  void place(std::int32_t* ranks, int distance_root);

  int left_rank_;  // of the two operands as the plan combines them
  data::JoinFn join_ = nullptr;
  std::int64_t value_bytes_ = 0;
  data::Operator op_;
  data::TwoRanks ranks_;
  std::int32_t* place_ = nullptr;
  data::Layout layout_;
  std::int64_t position_ = 0;  // elements combined
};

}  // namespace tutti::engine
