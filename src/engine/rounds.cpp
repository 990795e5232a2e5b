// SPDX-License-Identifier: BSD-3-Clause
// Advances the ops of a round, and finds what it waits for.
#include "engine/rounds.hpp"

#include "engine/long_messages.hpp"
#include "engine/steps.hpp"

namespace tutti::engine {

using schedule::Do;
using transport::Channel;
using transport::Look;

// A copy or combine runs only after all receives and local work that stand before it in the round.
// It waits for no send but its gates, because receives behind it make room for the sends of others.
Look advance_round(RunState& run) {
  if (!run.entered) {
    run.enter_round();
    offer_at_once(run);
  }
  Look progress = Look::nothing;
  const Slice ops = run.ops();
  const bool whole_messages = run.cut_of(0).whole;  // of any length
  bool all_finished = true, in_order = true;
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    const OpState& state = run.states[i];
    if (state.finished) continue;
    const Do what = run.plan->ops[i].what;
    const bool local_work = what == Do::copy || what == Do::combine;
    const bool whole = what == Do::send && whole_messages;
    if ((!local_work || in_order) && (whole ? send_packets(run, i) : step(run, i)))
      progress = Look::progress;
    all_finished = all_finished && state.finished;
    in_order = in_order && (what == Do::send || state.finished);
    if (local_work && !in_order && !run.plan->ops[i].apart) break;
  }
  if (!all_finished) return progress;
  run.leave_round();
  return Look::done;
}

Channel* awaited_channel(const RunState& run) {
  const Slice ops = run.ops();
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    const MicroOp& op = run.plan->ops[i];
    if (run.states[i].finished || op.what == Do::send) continue;
    if (op.what == Do::receive) return run.plan->peers[op.peers.begin];
    for (std::uint32_t k = op.operands.begin; k < op.operands.end; ++k) {
      if (lacks(run, i, k)) return run.plan->operands[k].channel;
    }
  }
  return nullptr;
}

// A send waits for room on the channel or in the send arena, which any receiver may hold.
void list_awaited(const RunState& run, std::vector<int>& endpoints) {
  endpoints.clear();
  const Slice ops = run.ops();
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    if (run.states[i].finished) continue;
    const MicroOp& op = run.plan->ops[i];
    for (std::uint32_t k = op.peers.begin; k < op.peers.end; ++k) {
      Channel& channel = *run.plan->peers[k];
      const bool nothing_came = channel.peek() == nullptr || channel.peek()->handed_over;
      if (op.what == Do::send || nothing_came) endpoints.push_back(channel.peer());
    }
    for (std::uint32_t k = op.operands.begin; k < op.operands.end; ++k) {
      Channel* const channel = run.plan->operands[k].channel;
      if (lacks(run, i, k) && channel->peek() == nullptr) endpoints.push_back(channel->peer());
    }
  }
}

}  // namespace tutti::engine
