// SPDX-License-Identifier: BSD-3-Clause
// An execution of a plan that goes on while its caller does other things. Each non-blocking or
// persistent call holds one. It copies the arguments of the call, so only the data must stay valid.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/operator_failure.hpp"
#include "engine/plan.hpp"

namespace tutti::engine {

class Execution final : public transport::Progressable {
 public:
  Execution(Plan& plan, InFlight& in_flight);
  ~Execution() override;
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // Copies the arguments, which the caller has checked. If their operator may fail, `failure_plan`
  // is that of the group.
  void bind(const Arguments& arguments, Plan* failure_plan = nullptr);
  // Returns true if a run is two operations of the group: its own, and the one by which all ranks
  // learn whether the operator has failed.
  [[nodiscard]] bool has_two_parts() const { return second_ != nullptr; }
  // Starts the run and sends what can be sent at once. Never waits. The previous run must be done.
  // The second number is used if the run has two parts.
  void start(std::uint32_t sequence, std::uint32_t second_sequence = 0);
  [[nodiscard]] bool under_way() const { return under_way_; }
  // An error ends the run; it is thrown and also kept for take_failure().
  transport::Look advance() override;
  // Returns the error that ended the last run early, and forgets it.
  [[nodiscard]] std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

  [[nodiscard]] transport::Label label() const { return executor().label(); }
  // Returns true if a packet with this label belongs to the part that goes on, or to the second
  // part that has not begun here. Ranks that are faster have begun it already.
  [[nodiscard]] bool expects(transport::Label label) const override;
  void describe(transport::WaitInfo& info) const override { executor().describe(info); }
  [[nodiscard]] Plan& plan() { return *plan_; }
  void release() { executor_.release(); }

 private:
  struct SecondPart {
    explicit SecondPart(Plan& of);
    Plan* plan;
    Executor executor;
    OperatorFailure failure;
    std::uint32_t sequence = 0;
    bool runs = false;
  };
  // Returns the executor of the part that goes on.
  [[nodiscard]] Executor& executor() { return in_second() ? second_->executor : executor_; }
  [[nodiscard]] const Executor& executor() const {
    return in_second() ? second_->executor : executor_;
  }
  [[nodiscard]] bool in_second() const { return second_ != nullptr && second_->runs; }
  void begin_second();
  const CallOperand* keep(const CallOperand* given, CallOperand& own);
  std::span<const std::int64_t> keep(std::span<const std::int64_t> given,
                                     std::vector<std::int64_t>& own);
  void leave();

  Plan* plan_;
  InFlight* in_flight_;
  Executor executor_;
  std::unique_ptr<SecondPart> second_;
  CallOperand input_, output_;
  data::Operator op_;
  std::vector<std::int64_t> input_counts_, output_counts_;
  Arguments arguments_;
  std::exception_ptr failure_;
  bool under_way_ = false;
};

}  // namespace tutti::engine
