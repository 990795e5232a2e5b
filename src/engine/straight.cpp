// SPDX-License-Identifier: BSD-3-Clause
// Runs short rounds op by op. The sends stand first, so each has finished before an op that must
// not overtake it begins, and nothing need be noted of it.
#include "engine/straight.hpp"

#include "engine/steps.hpp"

namespace tutti::engine {
namespace {

// An op that is not quick keeps count of what it has done, so its count begins here.
bool attempt(RunState& run, std::uint32_t index) {
  OpState& state = run.states[index];
  state.begin();
  state.finished = false;
  const Slice operands = run.plan->ops[index].operands;
  for (std::uint32_t k = operands.begin; k < operands.end; ++k) run.operand_done[k] = 0;
  return step_slowly(run, index) && state.finished;
}

// Looks for the next packet from the peer of an op, for the time of a spin if there is none yet.
const transport::Packet* look_longer(RunState& run, transport::Channel& channel) {
  const transport::Packet* packet = look_once(run, channel);
  if (packet != nullptr) return packet;
  run.in_flight->waiter().spin_until([&] { return (packet = look_once(run, channel)) != nullptr; },
                                     channel.peer());
  return packet;
}

bool finish(RunState& run, std::uint32_t index) {
  const ResolvedOp& op = run.steps[index];
  if (op.quick) [[likely]]
    return step_quickly(run, op, look_longer);
  if (op.no_message || attempt(run, index)) return true;
  const bool may_come = op.what != schedule::Do::send && op.channel != nullptr;
  return may_come && look_longer(run, *op.channel) != nullptr && attempt(run, index);
}

// Says that the ops before this one are done, and all others are not.
void give_up(RunState& run, std::uint32_t unfinished) {
  run.enter_round();
  for (std::uint32_t i = run.ops().begin; i < unfinished; ++i) {
    run.states[i].done = run.states[i].total;
    run.states[i].finished = true;
  }
}

}  // namespace

bool run_straight(RunState& run) {
  const Slice ops = run.ops();
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    if (finish(run, i)) continue;
    give_up(run, i);
    return false;
  }
  run.leave_round();
  return true;
}

}  // namespace tutti::engine
