// SPDX-License-Identifier: BSD-3-Clause
// Says which messages may be copied once.
#include "engine/long_messages.hpp"

#include "transport/handover.hpp"

namespace tutti::engine {

using transport::Channel;
using transport::Helped;
using transport::Look;
using Way = OpState::Way;

namespace {

// A line has 32 bits for the bytes that are handed over.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 31;

bool is_long(const RunState& run, const OpState& state) {
  return state.total_bytes >= static_cast<std::uint64_t>(run.transport->tuning().one_copy_from) &&
         state.total_bytes < most_bytes;
}

transport::LongMessage message_of(const RunState& run, const OpState& state) {
  return {run.label, state.total_bytes, state.first};
}

// An offer may come. A started operation has other things to do than to look for it. Where
// processes take turns on a processor, the end of an exchange lets the other one run meanwhile.
Sending look_again(const RunState& run, OpState& state, bool crowded, bool may_wait) {
  if (run.identity.mode != Mode::blocking) return Sending::packets;
  const base::Tuning& tuning = run.transport->tuning();
  const std::int64_t most = may_wait ? tuning.yields_crowded : crowded ? 0 : tuning.offer_looks;
  const bool looks = state.done == 0 && ++state.looks < most;
  if (may_wait) return looks ? Sending::waits : Sending::packets;
  return looks ? Sending::moved : Sending::short_packets;
}

}  // namespace

// Bytes that are still being sent may not be overwritten, and a sender would not know how far it
// may go.
void offer_to_take(RunState& run, std::uint32_t index, Channel& channel, std::byte* to) {
  OpState& state = run.states[index];
  if (!is_long(run, state)) return;
  if (run.limit_of(run.plan->ops[index], state.total) != state.total) return;
  channel.offer(
      {.message = message_of(run, state), .to = to, .waits = run.identity.mode == Mode::blocking});
  state.way = Way::offered;
}

bool take_part(RunState& run, std::uint32_t index, Channel& channel) {
  OpState& state = run.states[index];
  const Look look = channel.take_part();
  if (look == Look::done) {
    run.in_flight->pop(channel, run.label);
    state.done = state.total;
    state.finished = true;
  }
  return look != Look::nothing;
}

void withdraw_offers(RunState& run) {
  if (!run.entered || run.over()) return;
  const Slice ops = run.ops();
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    OpState& state = run.states[i];
    if (state.way == Way::packets || state.finished) continue;
    const MicroOp& op = run.plan->ops[i];
    if (state.way == Way::handed_over) {
      run.plan->peers[op.peers.begin]->give_up();
    } else if (op.what == schedule::Do::receive) {
      run.plan->peers[op.peers.begin]->withdraw(run.memory.flat(op.spans));
    } else {
      run.steps[i].channel->withdraw(nullptr);
    }
    state.way = Way::packets;
  }
}

void offer_at_once(RunState& run) {
  const Slice ops = run.ops();
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    const MicroOp& op = run.plan->ops[i];
    if (op.what != schedule::Do::receive || !is_long(run, run.states[i])) continue;
    std::byte* const to = run.memory.flat(op.spans);
    Channel& channel = *run.plan->peers[op.peers.begin];
    if (to != nullptr && channel.peek() == nullptr) offer_to_take(run, i, channel, to);
  }
}

Sending hand_over(RunState& run, std::uint32_t index) {
  const MicroOp& op = run.plan->ops[index];
  OpState& state = run.states[index];
  if (op.peers.size() != 1) return Sending::packets;
  Channel& channel = *run.plan->peers[op.peers.begin];
  if (state.way == Way::handed_over) {
    const Helped helped = channel.help();
    if (helped == Helped::done || helped == Helped::returned) state.way = Way::packets;
    if (helped == Helped::done) {
      state.done = state.total;
      state.finished = true;
    }
    return helped == Helped::nothing ? Sending::waits : Sending::moved;
  }
  const ResolvedOp& known = run.steps[index];
  if (known.is_gate_anywhere || (known.is_gate && !run.operands_apart) || !is_long(run, state))
    return Sending::packets;
  const std::byte* const from = run.memory.flat(op.spans);
  if (from == nullptr) return Sending::packets;
  const auto element = static_cast<std::int64_t>(run.memory.element_bytes());
  // Two copies cost more than to wait for one if processes take turns on a processor.
  const bool crowded = run.transport->idler().processors() == transport::Processors::few;
  const bool exchange = run.alongside[run.round] == transport::Beside::receives;
  const transport::Rest rest{
      .message = message_of(run, state),
      .from = from,
      .done = static_cast<std::uint64_t>(state.done * element),
      .part = static_cast<std::uint32_t>(run.cut_of(state.total_bytes).packet),
      .one_way = !exchange || crowded,
      .may_wait = exchange && crowded};
  const transport::HandedOver answer = channel.hand_over(rest);
  if (answer == transport::HandedOver::soon) return look_again(run, state, crowded, rest.may_wait);
  if (answer == transport::HandedOver::no) return Sending::packets;
  state.way = Way::handed_over;
  return Sending::moved;
}

}  // namespace tutti::engine
