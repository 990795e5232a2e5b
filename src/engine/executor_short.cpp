// SPDX-License-Identifier: BSD-3-Clause
// Runs rounds of short messages without the bookkeeping of advance(), for Executor::run().
#include "base/copy.hpp"
#include "engine/executor.hpp"

namespace tutti::engine {

using schedule::Do;
using transport::Channel;
using transport::Packet;

void Executor::resolve(std::uint32_t index) {
  const MicroOp& op = plan_->ops[index];
  Step& step = steps_[index];
  step = {};
  if (is_no_message(index)) {
    step.kind = Step::Kind::nothing;
    return;
  }
  step.bytes = static_cast<std::uint32_t>(states_[index].total_bytes);
  step.elements = states_[index].total;
  step.blocks = memory_.place(op.spans);
  if (step.blocks.offset < 0 || states_[index].total_bytes > inline_limit_) return;
  if (op.what == Do::copy) {
    step.local = memory_.place(plan_->operands[op.operands.begin].spans);
    if (step.local.offset >= 0) step.kind = Step::Kind::copy;
  } else if (op.pair != Pair::none) {
    step.message_first = op.pair == Pair::message_first;
    const std::uint32_t local = op.operands.begin + (step.message_first ? 1 : 0);
    step.local = memory_.place(plan_->operands[local].spans);
    step.channel = plan_->operands[2 * op.operands.begin + 1 - local].channel;
    if (step.local.offset >= 0 && step.elements > 0) step.kind = Step::Kind::combine;
  } else if (op.peers.size() == 1 && (op.what == Do::send || op.what == Do::receive)) {
    step.channel = plan_->peers[op.peers.begin];
    step.kind = op.what == Do::send ? Step::Kind::send : Step::Kind::receive;
  }
}

// Returns true if a round can run op by op: each message fits into one packet without a fragment.
bool Executor::is_short(Slice ops) const {
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    const MicroOp& op = plan_->ops[i];
    const bool simple = op.what == Do::send || op.what == Do::receive || op.what == Do::copy ||
                        op.pair != Pair::none;
    if (!simple || states_[i].total_bytes > inline_limit_) return false;
  }
  return true;
}

// Runs the ops of a round one after the other. A short round takes a few cache lines, and
// bookkeeping about its progress would take longer. Returns false if a wait outlasts its spin
// phase; advance() then continues from there.
bool Executor::run_short_round() {
  const Slice ops = plan_->rounds[round_];
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    const Step& step = steps_[i];
    if (step.kind == Step::Kind::nothing) continue;
    const bool done =
        step.kind == Step::Kind::general ? run_short_op(plan_->ops[i], states_[i]) : run_step(step);
    if (!done) {
      give_up_short_round(i);
      return false;
    }
  }
  ++round_;
  return true;
}

bool Executor::run_step(const Step& step) {
  if (step.kind == Step::Kind::copy) {
    std::byte* to = memory_.at(step.blocks);
    const std::byte* from = memory_.at(step.local);
    if (to != from) base::copy_bytes(to, from, step.bytes);
    return true;
  }
  Channel& channel = *step.channel;
  if (step.kind == Step::Kind::send) {
    if (!channel.ready()) return false;
    channel.post_inline(label_, memory_.at(step.blocks), step.bytes);
    return true;
  }
  const Packet* packet = spin_for(channel, step.bytes);
  if (packet == nullptr) return false;
  if (step.kind == Step::Kind::receive) {
    base::copy_bytes(memory_.at(step.blocks), packet->payload, step.bytes);
  } else {
    const std::byte* message = payload_of(*packet);
    const std::byte* own = memory_.at(step.local);
    combine(memory_.at(step.blocks), step.message_first ? message : own,
            step.message_first ? own : message, step.elements);
  }
  pop(channel);
  return true;
}

bool Executor::run_short_op(const MicroOp& op, const OpState& state) {
  if (op.what == Do::send) {
    OpState sending = state;
    sending.done = 0;
    return step_send(op, sending);
  }
  if (op.what == Do::copy) {
    copy(op.spans, plan_->operands[op.operands.begin].spans, 0, state.total, data::Store::plain);
    return true;
  }
  const std::uint32_t message = op.operands.begin + (op.pair == Pair::local_first ? 1 : 0);
  Channel& channel =
      op.what == Do::receive ? *plan_->peers[op.peers.begin] : *plan_->operands[message].channel;
  const Packet* packet = spin_for(channel, state.total_bytes);
  if (packet == nullptr) return false;
  if (op.what == Do::receive) {
    memory_.write(op.spans, 0, packet->payload, state.total);
  } else if (state.total > 0) {
    const std::uint32_t local = op.operands.begin + (op.pair == Pair::local_first ? 0 : 1);
    fold_pair(op, plan_->operands[local].spans, 0, state.total, payload_of(*packet));
  }
  pop(channel);
  return true;
}

const Packet* Executor::spin_for(Channel& channel, std::uint64_t total_bytes) {
  const Packet* packet = in_flight_->look(channel, label_);
  if (packet == nullptr) {
    in_flight_->waiter().spin_until(
        [&] { return (packet = in_flight_->look(channel, label_)) != nullptr; }, channel.peer());
  }
  if (packet != nullptr && (packet->label != label_ || packet->total != total_bytes)) [[unlikely]]
    return foreign(channel, *packet, total_bytes);
  return packet;
}

void Executor::give_up_short_round(std::uint32_t unfinished) {
  enter_round();
  for (std::uint32_t i = plan_->rounds[round_].begin; i < unfinished; ++i) {
    states_[i].done = states_[i].total;
    states_[i].finished = true;
  }
}

}  // namespace tutti::engine
