// SPDX-License-Identifier: BSD-3-Clause
// Folds operands of one op. A message is read where its sender has put it.
#include "engine/folds.hpp"

#include <algorithm>
#include <cstring>

#include "engine/arrivals.hpp"
#include "engine/long_messages.hpp"

namespace tutti::engine {

using transport::Packet;

namespace {

const LoweredOperand& operand_at(const RunState& run, std::uint32_t index) {
  return run.plan->operands[index];
}

// An operator on whole vectors writes its result at once. Where that would overwrite what is still
// being sent, messages are taken all the same, because their senders may wait for the room.
bool is_staged(const RunState& run, const MicroOp& op) {
  return op.staged ||
         (run.on_vectors && op.what == schedule::Do::receive_combine && op.gates.size() != 0);
}

// Ops of a round go on together, so each has staging memory of its own.
std::vector<std::byte>& staging_of(RunState& run, const MicroOp& op) {
  return run.staging[static_cast<std::size_t>(&op - run.plan->ops.data())];
}

// Returns where results are written: the blocks themselves, or staging memory if early writes would
// destroy an operand.
ElementRun target(RunState& run, const MicroOp& op, std::int64_t position, std::int64_t wanted) {
  if (!is_staged(run, op)) return run.memory.piece(op.spans, position, wanted);
  const auto element = static_cast<std::int64_t>(run.memory.element_bytes());
  return {staging_of(run, op).data() + position * element, wanted};
}

void make_staging(RunState& run, const MicroOp& op, const OpState& state) {
  if (!is_staged(run, op)) return;
  if (run.staging.empty()) run.staging.resize(run.plan->ops.size());
  const auto bytes = static_cast<std::size_t>(state.total) * run.memory.element_bytes();
  if (staging_of(run, op).size() < bytes) staging_of(run, op).resize(bytes);
}

void finish_staged(RunState& run, const MicroOp& op, std::int64_t total) {
  run.memory.write(op.spans, 0, staging_of(run, op).data(), total);
}

// Folds elements [at, at + count) of one operand into the result. `message` holds them; nullptr
// means a local operand. If one of the first two operands is local, both are combined in one step,
// so the local one is never copied to the result first.
void fold(RunState& run, const MicroOp& op, std::uint32_t operand, std::int64_t at,
          std::int64_t count, const std::byte* message) {
  const std::uint32_t nth = operand - op.operands.begin;
  const bool paired = op.operands.size() > 1;
  const LoweredOperand& first = operand_at(run, op.operands.begin);
  const LoweredOperand& second = operand_at(run, op.operands.begin + (paired ? 1 : 0));
  const bool first_is_local = first.channel == nullptr;
  const bool second_is_local = second.channel == nullptr;
  if (paired && nth == 0 && first_is_local) return;  // is combined together with the second operand
  if (paired && nth == 1 && second_is_local && !first_is_local)
    return;  // was combined together with the first operand
  const bool with_second = paired && nth == 0 && second_is_local;
  const auto element = static_cast<std::int64_t>(run.memory.element_bytes());
  while (count > 0) {
    ElementRun result = target(run, op, at, count);
    const auto local_piece = [&](const LoweredOperand& source) {
      const ElementRun piece = run.memory.piece(source.spans, at, result.count);
      result.count = piece.count;
      return static_cast<const std::byte*>(piece.address);
    };
    const std::byte* own = message != nullptr ? message : local_piece(operand_at(run, operand));
    if (with_second) {
      const std::byte* right = local_piece(second);
      combine(run, result.address, own, right, result.count);
    } else if (nth == 0) {
      if (own != result.address) std::copy_n(own, result.count * element, result.address);
    } else {
      const std::byte* left = nth == 1 && first_is_local ? local_piece(first) : result.address;
      combine(run, result.address, left, own, result.count);
    }
    if (message != nullptr) message += result.count * element;
    at += result.count;
    count -= result.count;
  }
}

bool fold_local(RunState& run, const MicroOp& op, std::uint32_t operand, std::int64_t limit) {
  const std::int64_t at = run.operand_done[operand];
  if (at >= limit) return false;
  fold(run, op, operand, at, limit - at, nullptr);
  run.operand_done[operand] = limit;
  return true;
}

bool fold_remote(RunState& run, std::uint32_t index, std::uint32_t operand, std::int64_t limit) {
  const MicroOp& op = run.plan->ops[index];
  OpState& state = run.states[index];
  std::int64_t& done = run.operand_done[operand];
  if (done >= std::max<std::int64_t>(state.total, 1)) return false;
  transport::Channel& channel = *operand_at(run, operand).channel;
  const Packet* packet = arrived(run, channel, state.total_bytes);
  if (packet == nullptr) {
    if (op.pair != Pair::none) offer_to_take(run, index, channel, nullptr);
    return false;
  }
  if (done == 0) state.first = packet->number;
  const std::int64_t count = run.elements_of(*packet, state);
  if (done + count > limit) return false;
  if (count > 0) fold(run, op, operand, done, count, payload_of(run, *packet));
  run.in_flight->pop(channel, run.label);
  done = state.total == 0 ? 1 : done + count;
  return true;
}

}  // namespace

bool lacks(const RunState& run, std::uint32_t index, std::uint32_t operand) {
  return operand_at(run, operand).channel != nullptr &&
         run.operand_done[operand] < std::max<std::int64_t>(run.states[index].total, 1);
}

const std::byte* payload_of(RunState& run, const Packet& packet) {
  if (run.reducer->kind() != data::Operator::Kind::user) return packet.payload;
  if (run.private_operand.size() < packet.bytes)
    run.private_operand.resize(std::max(run.limits.at_once, run.limits.fragment));
  std::memcpy(run.private_operand.data(), packet.payload, packet.bytes);
  return run.private_operand.data();
}

bool fold_all(RunState& run, std::uint32_t index) {
  const MicroOp& op = run.plan->ops[index];
  OpState& state = run.states[index];
  make_staging(run, op, state);
  const std::int64_t gate = op.staged ? state.total : run.limit_of(op, state.total);
  bool progress = false;
  std::int64_t limit = gate;
  bool complete = true;
  for (std::uint32_t i = op.operands.begin; i < op.operands.end; ++i) {
    const bool is_local = operand_at(run, i).channel == nullptr;
    progress =
        (is_local ? fold_local(run, op, i, limit) : fold_remote(run, index, i, limit)) || progress;
    limit = std::min(limit, run.operand_done[i]);
    // A message without elements still arrives as a packet, so it counts as one element here.
    complete =
        complete && run.operand_done[i] >= std::max<std::int64_t>(state.total, is_local ? 0 : 1);
  }
  state.done = limit;
  if (complete && (!op.staged || run.gates_open(op))) {
    if (op.staged) finish_staged(run, op, state.total);
    state.finished = true;
    progress = true;
  }
  return progress;
}

// Combines by a function that takes whole vectors. Each message is first collected in memory of
// this process; the operands are combined one after the other.
bool fold_vectors(RunState& run, std::uint32_t index) {
  const MicroOp& op = run.plan->ops[index];
  OpState& state = run.states[index];
  std::vector<std::byte>& collected = run.collected[index];
  bool progress = false;
  make_staging(run, op, state);
  for (; state.done < static_cast<std::int64_t>(op.operands.size()); ++state.done) {
    const std::uint32_t operand = op.operands.begin + static_cast<std::uint32_t>(state.done);
    while (lacks(run, index, operand)) {
      transport::Channel& channel = *operand_at(run, operand).channel;
      const Packet* packet = arrived(run, channel, state.total_bytes);
      if (packet == nullptr) return progress;
      collected.resize(static_cast<std::size_t>(state.total_bytes));
      const auto at =
          static_cast<std::size_t>(run.operand_done[operand]) * run.memory.element_bytes();
      std::copy_n(packet->payload, packet->bytes, collected.data() + at);
      run.operand_done[operand] += std::max<std::int64_t>(run.elements_of(*packet, state), 1);
      run.in_flight->pop(channel, run.label);
      progress = true;
    }
    const bool is_local = operand_at(run, operand).channel == nullptr;
    if (state.total > 0)
      fold(run, op, operand, 0, state.total, is_local ? nullptr : collected.data());
  }
  if (!run.gates_open(op)) return progress;
  if (is_staged(run, op)) finish_staged(run, op, state.total);
  state.finished = true;
  return true;
}

}  // namespace tutti::engine
