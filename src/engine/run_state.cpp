// SPDX-License-Identifier: BSD-3-Clause
// Finds out, once for each size, what the ops of a plan come to.
#include "engine/run_state.hpp"

#include <algorithm>

namespace tutti::engine {

using schedule::Do;
using transport::Beside;

RunState::RunState(const LoweredPlan& of, transport::Transport& over, InFlight& beside,
                   const Identity& named)
    : RunFacts(beside, named, of.rounds.size()),
      plan(&of),
      transport(&over),
      limits(over.limits()),
      inline_limit(limits.at_once),
      memory(of, named.rank, static_cast<int>(named.endpoints.size())),
      states(of.ops.size()),
      steps(of.ops.size()),
      operand_done(of.operands.size()),
      drivers(of.rounds.size()) {
  for (const Slice& round_ops : of.rounds) {
    const bool only_sends = std::all_of(
        of.ops.begin() + round_ops.begin, of.ops.begin() + round_ops.end,
        [](const MicroOp& one) { return one.what == Do::send || one.what == Do::copy; });
    const Beside others = only_sends ? Beside::sends : Beside::receives;
    alongside.push_back(round_ops.size() == 1 ? Beside::nothing : others);
  }
}

void RunState::set_totals() {
  shortened = {};
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i].total = memory.elements(plan->ops[i].spans);
    states[i].total_bytes = static_cast<std::uint64_t>(states[i].total) * memory.element_bytes();
  }
  for (std::size_t t = 0; t < drivers.size(); ++t)
    drivers[t] = is_short(plan->rounds[t]) ? Driver::straight : Driver::looks;
  for (std::uint32_t i = 0; i < steps.size(); ++i) resolve(i);
  for (const MicroOp& op : plan->ops) {
    for (std::uint32_t i = op.gates.begin; i < op.gates.end; ++i) {
      steps[plan->gates[i]].is_gate = true;
      if (!op.gates_across) steps[plan->gates[i]].is_gate_anywhere = true;
    }
  }
}

void RunState::set_total(std::uint32_t index, std::int64_t elements) {
  states[index].total = elements;
  states[index].total_bytes = static_cast<std::uint64_t>(elements) * memory.element_bytes();
  steps[index].elements = elements;
  steps[index].bytes = static_cast<std::uint32_t>(states[index].total_bytes);
}

void RunState::enter_round() {
  const Slice now = ops();
  for (std::uint32_t i = now.begin; i < now.end; ++i) {
    states[i].begin();
    states[i].finished = steps[i].no_message;
    const Slice operands = plan->ops[i].operands;
    for (std::uint32_t k = operands.begin; k < operands.end; ++k) operand_done[k] = 0;
  }
  entered = true;
}

// Both ends of a send or receive know its size where counts are given for both sides, since each
// block then travels alone. An empty block is not sent, and nobody waits for it.
void RunState::resolve(std::uint32_t index) {
  const MicroOp& op_at = plan->ops[index];
  const OpState& state = states[index];
  ResolvedOp& step = steps[index];
  step = {.what = op_at.what};
  step.no_message =
      both_ends_count && state.total == 0 && (op_at.what == Do::send || op_at.what == Do::receive);
  if (step.no_message) return;
  step.bytes = static_cast<std::uint32_t>(state.total_bytes);
  step.elements = state.total;
  step.blocks = memory.place(op_at.spans);
  const bool one_run = step.blocks.offset >= 0 && state.total_bytes <= inline_limit;
  if (op_at.what == Do::copy) {
    step.local = memory.place(plan->operands[op_at.operands.begin].spans);
    step.quick = one_run && step.local.offset >= 0;
  } else if (op_at.pair != Pair::none) {
    step.message_first = op_at.pair == Pair::message_first;
    const std::uint32_t local = op_at.operands.begin + (step.message_first ? 1 : 0);
    step.local = memory.place(plan->operands[local].spans);
    step.channel = plan->operands[2 * op_at.operands.begin + 1 - local].channel;
    step.quick = one_run && step.local.offset >= 0 && step.elements > 0 && !on_vectors;
  } else if (op_at.peers.size() == 1) {
    step.channel = plan->peers[op_at.peers.begin];
    step.quick = one_run && (op_at.what == Do::send || op_at.what == Do::receive);
  }
}

// Returns true if a round can run op by op: each message fits into one packet without a fragment.
bool RunState::is_short(Slice round_ops) const {
  return std::all_of(plan->ops.begin() + round_ops.begin, plan->ops.begin() + round_ops.end,
                     [this](const MicroOp& one) {
                       const bool simple = one.what == Do::send || one.what == Do::receive ||
                                           one.what == Do::copy || one.pair != Pair::none;
                       const auto at = static_cast<std::size_t>(&one - plan->ops.data());
                       return simple && states[at].total_bytes <= inline_limit;
                     });
}

}  // namespace tutti::engine
