// SPDX-License-Identifier: BSD-3-Clause
// A run of a plan that goes on while its caller does something else: what non-blocking and
// persistent calls hold. It keeps what it was given, so only the data themselves have to stay.
#pragma once

#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "engine/plan.hpp"

namespace tutti::engine {

class Execution {
 public:
  Execution(Plan& plan, InFlight& in_flight);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // The arguments were checked.
  void bind(const Arguments& arguments);
  // Never waits: sends what can be sent at once. Not while under way.
  void start(std::uint32_t sequence);
  [[nodiscard]] bool under_way() const { return under_way_; }
  // True if something could be done. An error ends the run, is thrown and kept.
  bool advance();
  // What ended the last run early, once.
  [[nodiscard]] std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

  [[nodiscard]] std::uint64_t tag() const { return executor_.tag(); }
  [[nodiscard]] Executor& executor() { return executor_; }
  [[nodiscard]] Plan& plan() { return *plan_; }
  void release() { executor_.release(); }

 private:
  const CallOperand* keep(const CallOperand* given, CallOperand& own);
  std::span<const std::int64_t> keep(std::span<const std::int64_t> given,
                                     std::vector<std::int64_t>& own);
  void leave();

  Plan* plan_;
  InFlight* in_flight_;
  Executor executor_;
  CallOperand input_, output_;
  data::Operator op_;
  std::vector<std::int64_t> input_counts_, output_counts_;
  Arguments arguments_;
  std::exception_ptr failure_;
  bool under_way_ = false;
};

// Waits until none of them is under way, advancing everything else as well.
void wait_for(std::span<Execution* const> executions, InFlight& in_flight,
              transport::Transport& transport);

}  // namespace tutti::engine
