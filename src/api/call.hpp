// SPDX-License-Identifier: BSD-3-Clause
// A collective call as a value: its operation, group and data. One description serves the three
// ways to call: blocking, non-blocking and persistent.
#pragma once

#include "api/repeat.hpp"
#include "api/state.hpp"

namespace tutti::api {

// Says which counts a call gives: none, because all ranks have equally many elements; all
// counts, the same on every rank; or only those that concern this rank.
enum class GivenCounts : std::uint8_t { even, everything, own };

struct Call {
  schedule::Operation operation{};
  int root = 0;
  CallOperands operands{};
  GivenCounts given = GivenCounts::even;
  const std::int64_t* input_counts = nullptr;
  const std::int64_t* output_counts = nullptr;
};

// The operands of a call in the engine's form. The object does not move, because its arguments
// refer to its other members.
class PreparedCall {
 public:
  // Checks the call. Throws Error.
  PreparedCall(ApiState& mine, engine::Group& group, const Call& call);
  PreparedCall(const PreparedCall&) = delete;
  PreparedCall& operator=(const PreparedCall&) = delete;

  [[nodiscard]] engine::Plan& plan() const { return *plan_; }
  [[nodiscard]] const engine::Arguments& arguments() const { return arguments_; }

 private:
  [[nodiscard]] engine::Plan& choose(engine::Group& group, const Call& call) const;

  engine::CallOperand input_, output_;
  engine::Arguments arguments_;
  engine::Plan* plan_ = nullptr;
};

// Runs a call that run_repeated() has not run. Returns when this rank's part is done.
void run_first(ApiState& mine, tutti_group group, const Call& call);
// Start an operation, or prepare one for tutti_start. Both give its handle.
void start_call(ApiState& mine, tutti_group group, const Call& call, tutti_request* request);
void init_call(ApiState& mine, tutti_group group, const Call& call, tutti_request* request);

// Runs a blocking call; `describe()` returns its Call. The first copy never gets an address and so
// stays in registers, which makes the check for a repeated call quick.
template <class Describe>
inline void run_call(ApiState& mine, tutti_group group, const Describe& describe) {
  const Call call = describe();
  if (call.given == GivenCounts::even &&
      run_repeated(mine, group, call.operation, call.root, call.operands))
    return;
  run_first(mine, group, describe());
}

}  // namespace tutti::api
