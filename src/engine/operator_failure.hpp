// SPDX-License-Identifier: BSD-3-Clause
// Tells all ranks of an operation whether the function of its operator has failed on one of them.
// A rank may combine what no other rank needs, so the messages of the operation cannot tell it.
// Therefore an allreduce of one number follows. Groups and executions use it.
#pragma once

#include <cstdint>

#include "engine/plan.hpp"

namespace tutti::engine {

class OperatorFailure {
 public:
  // Elements of the allreduce, in bytes.
  static constexpr std::int64_t bytes = sizeof(std::int64_t);

  OperatorFailure();
  OperatorFailure(const OperatorFailure&) = delete;
  OperatorFailure& operator=(const OperatorFailure&) = delete;

  // Says what the function has returned on this rank: 0 unless it has failed.
  void tell(int rank, int code, transport::GiveUp question = {});
  // The arguments of the allreduce, which works in place on this object.
  [[nodiscard]] const Arguments& arguments() const { return arguments_; }
  // Called after the allreduce. Throws Error(operator_failed) that names the lowest rank on which
  // the function has failed.
  void check(schedule::Operation operation) const;

 private:
  std::int64_t least_;  // rank and code of the lowest rank
  CallOperand operand_;
  data::Operator least_of_all_;
  Arguments arguments_;
};

}  // namespace tutti::engine
