// SPDX-License-Identifier: BSD-3-Clause
// Sends, receives and copies packet by packet, from and to memory of any shape.
#include "engine/steps.hpp"

#include <algorithm>

#include "engine/long_messages.hpp"
#include "transport/store_policy.hpp"

namespace tutti::engine {

using schedule::Do;
using transport::Channel;
using transport::Packet;
using transport::StorePolicy;

namespace {

bool all_ready(const RunState& run, Slice peers) {
  return std::all_of(run.plan->peers.begin() + peers.begin, run.plan->peers.begin() + peers.end,
                     [](Channel* peer) { return peer->ready(); });
}

void send_inline(RunState& run, const MicroOp& op, OpState& state) {
  std::byte copied[transport::most_inline];
  const std::byte* payload = run.memory.flat(op.spans);
  if (payload == nullptr) {
    run.memory.read(copied, op.spans, 0, state.total);
    payload = copied;
  }
  for (std::uint32_t i = op.peers.begin; i < op.peers.end; ++i) {
    run.plan->peers[i]->post_inline(run.label, payload,
                                    static_cast<std::uint32_t>(state.total_bytes));
  }
  state.done = state.total;
}

bool send_fragment(RunState& run, const MicroOp& op, OpState& state, Sending sending) {
  const std::size_t element = run.memory.element_bytes();
  const bool soon = sending == Sending::short_packets;
  const auto fits = static_cast<std::int64_t>(run.cut_of(state.total_bytes, soon).packet / element);
  const std::int64_t count = std::min(state.total - state.done, fits);
  const auto bytes = static_cast<std::uint32_t>(static_cast<std::size_t>(count) * element);
  const transport::Lent fragment =
      run.transport->acquire(bytes, op.peers.size(), run.plan->peers[op.peers.begin]->peer());
  if (fragment.data == nullptr) return false;
  if (fragment.non_temporal) {
    run.memory.read_non_temporal(fragment.data, op.spans, state.done, count);
  } else {
    run.memory.read(fragment.data, op.spans, state.done, count);
  }
  std::uint64_t number = 0;
  for (std::uint32_t i = op.peers.begin; i < op.peers.end; ++i)
    number = run.plan->peers[i]->post(run.label, state.total_bytes, fragment, bytes);
  if (state.done == 0) state.first = number;
  state.done += count;
  return true;
}

// Sends one packet to all receivers, or nothing.
bool send(RunState& run, std::uint32_t index) {
  const MicroOp& op = run.plan->ops[index];
  OpState& state = run.states[index];
  const Sending sending = hand_over(run, index);
  if (sending == Sending::moved || sending == Sending::waits) return sending == Sending::moved;
  if (!all_ready(run, op.peers)) return false;
  if (state.total_bytes <= run.inline_limit) {
    send_inline(run, op, state);
  } else if (op.peers.size() == 0) {
    state.done = state.total;
  } else if (!send_fragment(run, op, state, sending)) {
    return false;
  }
  state.finished = state.done == state.total;
  return true;
}

bool receive(RunState& run, std::uint32_t index) {
  const MicroOp& op = run.plan->ops[index];
  OpState& state = run.states[index];
  Channel& channel = *run.plan->peers[op.peers.begin];
  const Packet* const packet = arrived(run, channel, state.total_bytes);
  if (packet == nullptr) {
    if (std::byte* const to = run.memory.flat(op.spans)) offer_to_take(run, index, channel, to);
    return false;
  }
  if (packet->handed_over) return take_part(run, index, channel);
  if (state.done == 0) state.first = packet->number;
  const std::int64_t count = run.elements_of(*packet, state);
  if (state.done + count > run.limit_of(op, state.total)) return false;
  if (StorePolicy::received_past_caches(state.total_bytes, run.transport->tuning())) {
    run.memory.write_non_temporal(op.spans, state.done, packet->payload, count);
  } else {
    run.memory.write(op.spans, state.done, packet->payload, count);
  }
  run.in_flight->pop(channel, run.label);
  state.done += count;
  state.finished = state.done == state.total;
  return true;
}

void copy_elements(RunState& run, const MicroOp& op, std::int64_t at, std::int64_t count,
                   data::Store store) {
  const Slice from = run.plan->operands[op.operands.begin].spans;
  while (count > 0) {
    const ElementRun source = run.memory.piece(from, at, count);
    const ElementRun destination = run.memory.piece(op.spans, at, source.count);
    if (source.address != destination.address) {
      data::copy(destination.address, source.address,
                 static_cast<std::size_t>(destination.count) * run.memory.element_bytes(), store);
    }
    at += destination.count;
    count -= destination.count;
  }
}

bool copy(RunState& run, std::uint32_t index) {
  const MicroOp& op = run.plan->ops[index];
  OpState& state = run.states[index];
  if (!run.gates_open(op)) return false;
  // A copy in pieces lets packets be taken in between, so that their senders do not run out of
  // room.
  const std::uint64_t piece = run.cut_of(state.total_bytes).packet / run.memory.element_bytes();
  const std::int64_t left = state.total - state.done;
  const std::int64_t count = op.apart ? std::min(left, static_cast<std::int64_t>(piece)) : left;
  const bool is_long = StorePolicy::copied_past_caches(state.total_bytes, run.transport->tuning());
  copy_elements(run, op, state.done, count,
                is_long ? data::Store::non_temporal : data::Store::plain);
  state.done += count;
  state.finished = state.done == state.total;
  if (is_long && state.finished) data::store_fence();
  return true;
}

}  // namespace

bool send_packets(RunState& run, std::uint32_t index) {
  bool moved = false;
  while (!run.states[index].finished && send(run, index)) moved = true;
  return moved;
}

bool step_slowly(RunState& run, std::uint32_t index) {
  const MicroOp& op = run.plan->ops[index];
  switch (op.what) {
    case Do::send:
      return send(run, index);
    case Do::receive:
      return receive(run, index);
    case Do::copy:
      return copy(run, index);
    case Do::combine:
      if (!run.gates_open(op)) return false;
      [[fallthrough]];
    default:
      return run.on_vectors ? fold_vectors(run, index) : fold_all(run, index);
  }
}

}  // namespace tutti::engine
