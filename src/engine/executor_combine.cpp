// SPDX-License-Identifier: BSD-3-Clause
// The combines of an execution. Operands are folded from the left, packet by packet; each gets as
// far as the operand before it.
#include <algorithm>
#include <cstring>

#include "engine/executor.hpp"

namespace tutti::engine {

using transport::Packet;

namespace {
const LoweredOperand& operand_at(const LoweredPlan& plan, std::uint32_t index) {
  return plan.operands[index];
}
}  // namespace

// An operator on whole vectors writes its result at once. Where that would overwrite what is still
// being sent, messages are taken all the same, because their senders may wait for the room.
bool Executor::is_staged(const MicroOp& op) const {
  return op.staged ||
         (on_vectors_ && op.what == schedule::Do::receive_combine && op.gates.size() != 0);
}

// Returns where results are written: the blocks themselves, or staging memory if early writes would
// destroy an operand.
ElementRun Executor::target(const MicroOp& op, std::int64_t position, std::int64_t wanted) {
  if (!is_staged(op)) return memory_.piece(op.spans, position, wanted);
  const auto element = static_cast<std::int64_t>(memory_.element_bytes());
  return {staging_of(op).data() + position * element, wanted};
}

void Executor::make_staging(const MicroOp& op, const OpState& state) {
  if (!is_staged(op)) return;
  if (staging_.empty()) staging_.resize(plan_->ops.size());
  const auto bytes = static_cast<std::size_t>(state.total) * memory_.element_bytes();
  if (staging_of(op).size() < bytes) staging_of(op).resize(bytes);
}

// Ops of a round go on together, so each has staging memory of its own.
std::vector<std::byte>& Executor::staging_of(const MicroOp& op) {
  return staging_[static_cast<std::size_t>(&op - plan_->ops.data())];
}

bool Executor::step_combine(const MicroOp& op, OpState& state) {
  make_staging(op, state);
  const std::int64_t gate = op.staged ? state.total : limit_of(op, state.total);
  bool progress = false;
  std::int64_t limit = gate;
  bool complete = true;
  for (std::uint32_t i = op.operands.begin; i < op.operands.end; ++i) {
    const bool is_local = operand_at(*plan_, i).channel == nullptr;
    progress = (is_local ? fold_local(op, i, limit) : fold_remote(op, i, limit, state)) || progress;
    limit = std::min(limit, operand_done_[i]);
    // A message without elements still arrives as a packet, so it counts as one element here.
    complete =
        complete && operand_done_[i] >= std::max<std::int64_t>(state.total, is_local ? 0 : 1);
  }
  state.done = limit;
  if (complete && (!op.staged || gates_open(op))) {
    if (op.staged) finish_staged(op, state.total);
    state.finished = true;
    progress = true;
  }
  return progress;
}

// Combines one local operand with one message, packet by packet. The message is read where the
// sender has put it.
bool Executor::step_pair(const MicroOp& op, OpState& state) {
  const std::uint32_t message = op.operands.begin + (op.pair == Pair::local_first ? 1 : 0);
  const std::uint32_t local = op.operands.begin + (op.pair == Pair::local_first ? 0 : 1);
  transport::Channel& channel = *operand_at(*plan_, message).channel;
  const Packet* packet = arrived(channel, state.total_bytes);
  if (packet == nullptr) return false;
  const std::int64_t count = elements_of(*packet, state);
  if (state.done + count > limit_of(op, state.total)) return false;
  if (count > 0)
    fold_pair(op, operand_at(*plan_, local).spans, state.done, count, payload_of(*packet));
  pop(channel);
  state.done += count;
  state.finished = state.done == state.total;
  return true;
}

// Combines by a function that takes whole vectors. Each message is first collected in memory of
// this process; the operands are combined one after the other.
bool Executor::step_vectors(const MicroOp& op, OpState& state, std::vector<std::byte>& collected) {
  bool progress = false;
  make_staging(op, state);
  for (; state.done < static_cast<std::int64_t>(op.operands.size()); ++state.done) {
    const std::uint32_t operand = op.operands.begin + static_cast<std::uint32_t>(state.done);
    while (lacks(op, operand, state)) {
      transport::Channel& channel = *operand_at(*plan_, operand).channel;
      const Packet* packet = arrived(channel, state.total_bytes);
      if (packet == nullptr) return progress;
      collected.resize(static_cast<std::size_t>(state.total_bytes));
      const auto at = static_cast<std::size_t>(operand_done_[operand]) * memory_.element_bytes();
      std::copy_n(packet->payload, packet->bytes, collected.data() + at);
      operand_done_[operand] += std::max<std::int64_t>(elements_of(*packet, state), 1);
      pop(channel);
      progress = true;
    }
    const bool is_local = operand_at(*plan_, operand).channel == nullptr;
    if (state.total > 0) fold(op, operand, 0, state.total, is_local ? nullptr : collected.data());
  }
  if (!gates_open(op)) return progress;
  if (is_staged(op)) finish_staged(op, state.total);
  state.finished = true;
  return true;
}

void Executor::fold_pair(const MicroOp& op, Slice local, std::int64_t at, std::int64_t count,
                         const std::byte* message) {
  const auto element = static_cast<std::int64_t>(memory_.element_bytes());
  while (count > 0) {
    const ElementRun own = memory_.piece(local, at, count);
    const ElementRun result = memory_.piece(op.spans, at, own.count);
    const std::byte* left = op.pair == Pair::local_first ? own.address : message;
    const std::byte* right = op.pair == Pair::local_first ? message : own.address;
    combine(result.address, left, right, result.count);
    message += result.count * element;
    at += result.count;
    count -= result.count;
  }
}

// Returns the payload, or a private copy of it for a user's function, which must not touch the
// sender's memory.
const std::byte* Executor::payload_of(const Packet& packet) {
  if (op_->kind() != data::Operator::Kind::user) return packet.payload;
  if (private_operand_.size() < packet.bytes)
    private_operand_.resize(std::max(inline_limit_, fragment_limit_));
  std::memcpy(private_operand_.data(), packet.payload, packet.bytes);
  return private_operand_.data();
}

bool Executor::fold_local(const MicroOp& op, std::uint32_t operand, std::int64_t limit) {
  const std::int64_t at = operand_done_[operand];
  if (at >= limit) return false;
  fold(op, operand, at, limit - at, nullptr);
  operand_done_[operand] = limit;
  return true;
}

bool Executor::fold_remote(const MicroOp& op, std::uint32_t operand, std::int64_t limit,
                           const OpState& state) {
  std::int64_t& done = operand_done_[operand];
  if (done >= std::max<std::int64_t>(state.total, 1)) return false;
  transport::Channel& channel = *operand_at(*plan_, operand).channel;
  const Packet* packet = arrived(channel, state.total_bytes);
  if (packet == nullptr) return false;
  const std::int64_t count = elements_of(*packet, state);
  if (done + count > limit) return false;
  if (count > 0) fold(op, operand, done, count, payload_of(*packet));
  pop(channel);
  done = state.total == 0 ? 1 : done + count;
  return true;
}

// Folds elements [at, at + count) of one operand into the result. `arrived` holds them; nullptr
// means a local operand. If one of the first two operands is local, both are combined in one step,
// so the local one is never copied to the result first.
void Executor::fold(const MicroOp& op, std::uint32_t operand, std::int64_t at, std::int64_t count,
                    const std::byte* arrived) {
  const std::uint32_t nth = operand - op.operands.begin;
  const bool paired = op.operands.size() > 1;
  const LoweredOperand& first = operand_at(*plan_, op.operands.begin);
  const LoweredOperand& second = operand_at(*plan_, op.operands.begin + (paired ? 1 : 0));
  const bool first_is_local = first.channel == nullptr;
  const bool second_is_local = second.channel == nullptr;
  if (paired && nth == 0 && first_is_local) return;  // is combined together with the second operand
  if (paired && nth == 1 && second_is_local && !first_is_local)
    return;  // was combined together with the first operand
  const bool with_second = paired && nth == 0 && second_is_local;
  const auto element = static_cast<std::int64_t>(memory_.element_bytes());
  while (count > 0) {
    ElementRun result = target(op, at, count);
    const auto local_piece = [&](const LoweredOperand& source) {
      const ElementRun piece = memory_.piece(source.spans, at, result.count);
      result.count = piece.count;
      return static_cast<const std::byte*>(piece.address);
    };
    const std::byte* own = arrived != nullptr ? arrived : local_piece(operand_at(*plan_, operand));
    if (with_second) {
      const std::byte* right = local_piece(second);
      combine(result.address, own, right, result.count);
    } else if (nth == 0) {
      if (own != result.address) std::copy_n(own, result.count * element, result.address);
    } else {
      const std::byte* left = nth == 1 && first_is_local ? local_piece(first) : result.address;
      combine(result.address, left, own, result.count);
    }
    if (arrived != nullptr) arrived += result.count * element;
    at += result.count;
    count -= result.count;
  }
}

void Executor::finish_staged(const MicroOp& op, std::int64_t total) {
  memory_.write(op.spans, 0, staging_of(op).data(), total);
}

}  // namespace tutti::engine
