// SPDX-License-Identifier: BSD-3-Clause
// Runs a lowered Program. It binds data to the state of the run (run_state.hpp) and chooses a
// driver for each round.
#pragma once

#include <vector>

#include "engine/run_state.hpp"
#include "engine/shorter.hpp"

namespace tutti::engine {

class LoweredRun final : public Run {
 public:
  // The plan and the transport must outlive it.
  LoweredRun(const LoweredPlan& plan, transport::Transport& transport, InFlight& in_flight,
             const Identity& identity);
  ~LoweredRun() override;
  LoweredRun(const LoweredRun&) = delete;
  LoweredRun& operator=(const LoweredRun&) = delete;

  void rebind(std::uint32_t number, void* input, void* output, const data::Operator* op) override {
    if (op != nullptr) state_.reducer = op;
    state_.memory.rebind(input, output);
    state_.begin(number);
    state_.operator_code = 0;
    state_.entered = false;
    if (state_.shortened.any()) [[unlikely]]
      expect_as_given(state_);
    state_.operands_apart = state_.memory.operands_apart();
  }
  Look advance() override;
  void run(transport::GiveUp question) override;
  void release() override;
  void describe(transport::WaitInfo& info) const override;

 private:
  [[nodiscard]] std::int32_t recorded_as(record::RunRecorder& record, const Run* then) override;
  [[nodiscard]] std::string recorded_rounds() const override;
  void bind_data(const Arguments& arguments, std::int64_t n, std::size_t element_bytes) override;
  [[nodiscard]] Look advance_or_withdraw();
  void wait_for_round(transport::GiveUp question);

  RunState state_;
  std::int32_t recorded_as_ = -1;        // -1: what the run is bound to has no number yet
  mutable std::vector<int> waited_for_;  // endpoints, for reports
};

}  // namespace tutti::engine
