// SPDX-License-Identifier: BSD-3-Clause
// An execution of a plan that goes on while its caller does other things. Each non-blocking or
// persistent call holds one. It copies the arguments of the call, so only the data must stay valid.
#pragma once

#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "engine/plan.hpp"
#include "transport/wait.hpp"

namespace tutti::engine {

class Execution {
 public:
  Execution(Plan& plan, InFlight& in_flight);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // Copies the arguments, which the caller has checked.
  void bind(const Arguments& arguments);
  // Starts the run and sends what can be sent at once. Never waits. The previous run must be done.
  void start(std::uint32_t sequence);
  [[nodiscard]] bool under_way() const { return under_way_; }
  // Returns true if something could be done. An error ends the run; it is thrown and also kept for
  // take_failure().
  bool advance();
  // Returns the error that ended the last run early, and forgets it.
  [[nodiscard]] std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

  [[nodiscard]] transport::Label label() const { return executor_.label(); }
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

// The end of a wait, during which everything in flight goes on.
class Awaited {
 public:
  virtual ~Awaited() = default;
  [[nodiscard]] virtual bool over() = 0;
  // Lets other processes run, after one more failed poll.
  virtual void idle(transport::Wait& wait, int turn) = 0;
};
// Advances all operations of this process until `awaited` is over.
void wait_until_over(Awaited& awaited, InFlight& in_flight, transport::Transport& transport);

}  // namespace tutti::engine
