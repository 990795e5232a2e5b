// SPDX-License-Identifier: BSD-3-Clause
// A collective call as a value: which operation of which group, on what. One description serves the
// three ways to make it: blocking, non-blocking and persistent.
#pragma once

#include "api/repeat.hpp"
#include "api/state.hpp"

namespace tutti::api {

// What a call says of the counts: nothing, as all ranks have as many; the same everywhere; or what
// concerns this rank.
enum class Says : std::uint8_t { even, everything, own };

struct Call {
  schedule::Operation operation{};
  int root = 0;
  Sides sides{};
  Says says = Says::even;
  const std::int64_t* input_counts = nullptr;
  const std::int64_t* output_counts = nullptr;
};

// The operands behind a call. Does not move: arguments refer to the other members.
class Prepared {
 public:
  // Throws Error.
  Prepared(ApiState& mine, engine::Group& group, const Call& call);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  [[nodiscard]] engine::Plan& plan() const { return *plan_; }
  [[nodiscard]] const engine::Arguments& arguments() const { return arguments_; }

 private:
  void take_counts(const engine::Group& group, const Call& call, const engine::OperandNeeds& needs);
  [[nodiscard]] engine::Plan& choose(engine::Group& group, const Call& call) const;

  engine::CallOperand input_, output_;
  engine::Arguments arguments_;
  engine::Plan* plan_ = nullptr;
};

// Until this rank's part is done.
void run_first(ApiState& mine, tutti_group group, const Call& call);
// Gives the handle of a started operation, or of one that tutti_start starts.
void start_call(ApiState& mine, tutti_group group, const Call& call, tutti_request* request);
void init_call(ApiState& mine, tutti_group group, const Call& call, tutti_request* request);

// `describe()` gives the Call. The quick way looks at one that never gets an address and so stays
// in registers.
template <class Describe>
inline void run_call(ApiState& mine, tutti_group group, const Describe& describe) {
  const Call call = describe();
  if (call.says == Says::even && run_repeated(mine, group, call.operation, call.root, call.sides))
    return;
  run_first(mine, group, describe());
}

}  // namespace tutti::api
