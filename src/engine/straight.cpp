// SPDX-License-Identifier: BSD-3-Clause
// Runs short rounds op by op.
#include "engine/straight.hpp"

#include "engine/steps.hpp"

namespace tutti::engine {
namespace {

// An op that is not quick keeps count of what it has done, so its count begins here. It may have to
// know that the sends before it have finished.
bool attempt(RunState& run, std::uint32_t index) {
  const ResolvedOp& known = run.steps[index];
  OpState& state = run.states[index];
  if (known.quick) [[likely]]
    return state.finished = step_quickly(run, known);
  state.done = 0;
  state.finished = false;
  const Slice operands = run.plan->ops[index].operands;
  for (std::uint32_t k = operands.begin; k < operands.end; ++k) run.operand_done[k] = 0;
  return step_slowly(run, index) && state.finished;
}

// Says that the ops before this one are done, and all others are not.
void give_up(RunState& run, std::uint32_t unfinished) {
  run.enter_round();
  for (std::uint32_t i = run.ops().begin; i < unfinished; ++i) {
    run.states[i].done = run.states[i].total;
    run.states[i].finished = true;
  }
}

// Returns true if a packet has come for the op, whose first attempt has failed.
bool has_come(RunState& run, const ResolvedOp& waiting) {
  if (waiting.what == schedule::Do::send || waiting.channel == nullptr) return false;
  transport::Channel& channel = *waiting.channel;
  return run.in_flight->waiter().spin_until(
      [&] { return run.in_flight->look(channel, run.label) != nullptr; }, channel.peer());
}

}  // namespace

bool run_straight(RunState& run) {
  const Slice ops = run.ops();
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    if (run.steps[i].no_message || attempt(run, i)) continue;
    if (has_come(run, run.steps[i]) && attempt(run, i)) continue;
    give_up(run, i);
    return false;
  }
  run.leave_round();
  return true;
}

}  // namespace tutti::engine
