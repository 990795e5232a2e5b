// SPDX-License-Identifier: BSD-3-Clause
// The five micro-operations: send, receive, combine with a message, combine, and copy. Each does
// what can be done of one op now and returns at once. Both drivers call them, so there is one
// meaning of each. The quick ones are inline, because a short round consists of nothing else.
#pragma once

#include "base/copy.hpp"
#include "engine/arrivals.hpp"
#include "engine/folds.hpp"
#include "engine/run_state.hpp"

namespace tutti::engine {

// Does what can be done of an op that is not quick, or that may not run as a whole yet. Returns
// true if that was anything.
bool step_slowly(RunState& run, std::uint32_t index);
// Sends as many packets of a message as there is room for. Where waiters yield their processor at
// once, the receiver is then scheduled once per message, not once per packet.
bool send_packets(RunState& run, std::uint32_t index);

// These do a quick op as a whole; it may run now. The first returns false, and does nothing, if
// there is no room.
inline bool send_quickly(RunState& run, const ResolvedOp& step) {
  if (!step.channel->ready()) return false;
  step.channel->post_inline(run.label, run.memory.at(step.blocks), step.bytes);
  return true;
}
inline void copy_quickly(RunState& run, const ResolvedOp& step) {
  std::byte* const to = run.memory.at(step.blocks);
  const std::byte* const from = run.memory.at(step.local);
  if (to != from) base::copy_bytes(to, from, step.bytes);
}
// Receives the packet that has come for the op, or combines with it.
inline void take_quickly(RunState& run, const ResolvedOp& step, const transport::Packet& packet) {
  std::byte* const to = run.memory.at(step.blocks);
  if (step.what == schedule::Do::receive) {
    base::copy_bytes(to, packet.payload, step.bytes);
  } else {
    const std::byte* const message = payload_of(run, packet);
    const std::byte* const own = run.memory.at(step.local);
    combine(run, to, step.message_first ? message : own, step.message_first ? own : message,
            step.elements);
  }
  run.in_flight->pop(*step.channel, run.label);
}
// Returns false if room or a packet is missing. look(run, channel) says how long to look for that.
template <class LookFor>
inline bool step_quickly(RunState& run, const ResolvedOp& step, const LookFor& look) {
  if (step.what == schedule::Do::send) return send_quickly(run, step);
  if (step.what == schedule::Do::copy) return copy_quickly(run, step), true;
  const transport::Packet* packet = look(run, *step.channel);
  if (packet != nullptr) packet = expected(run, *step.channel, *packet, step.bytes);
  if (packet != nullptr) take_quickly(run, step, *packet);
  return packet != nullptr;
}

// Does what can be done of an op while other ops of its round may be unfinished. Returns true if
// that was anything.
inline bool step(RunState& run, std::uint32_t index) {
  const ResolvedOp& known = run.steps[index];
  if (!known.quick || !run.gates_open(run.plan->ops[index])) return step_slowly(run, index);
  if (!step_quickly(run, known, look_once)) return false;
  run.states[index].done = run.states[index].total;
  run.states[index].finished = true;
  return true;
}

}  // namespace tutti::engine
