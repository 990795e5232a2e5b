// SPDX-License-Identifier: BSD-3-Clause
// Runs an execution to its end, and says what its rounds wait for.
#include <algorithm>

#include "base/error.hpp"
#include "engine/executor.hpp"

namespace tutti::engine {

using schedule::Do;
using transport::Channel;

// Returns true if an operand of an unfinished op comes in a message and has not arrived completely.
bool Executor::lacks(const MicroOp& op, std::uint32_t operand, const OpState& state) const {
  if (plan_->operands[operand].channel == nullptr) return false;
  const bool counted = op.pair == Pair::none || on_vectors_;
  return !counted || operand_done_[operand] < std::max<std::int64_t>(state.total, 1);
}

// Returns a channel from which this round waits for a packet; nullptr if it waits only for room to
// send.
Channel* Executor::awaited() const {
  const Slice ops = plan_->rounds[round_];
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    const MicroOp& op = plan_->ops[i];
    if (states_[i].finished || op.what == Do::send) continue;
    if (op.what == Do::receive) return plan_->peers[op.peers.begin];
    for (std::uint32_t k = op.operands.begin; k < op.operands.end; ++k) {
      if (lacks(op, k, states_[i])) return plan_->operands[k].channel;
    }
  }
  return nullptr;
}

void Executor::run() {
  if (in_flight_->recorder() != nullptr) [[unlikely]]
    return run_recorded(*in_flight_->recorder());
  while (round_ < plan_->rounds.size()) {
    if (!short_round_[round_] || !run_short_round()) wait_for_round();
  }
}

// Polling the channel of one message is quicker than trying all of the round.
void Executor::wait_for_round() {
  transport::Waiter& waiter = in_flight_->waiter();
  const transport::Progress::Blocked blocked(waiter.progress(), label_);
  Channel* next = nullptr;
  const auto poll = [&] {
    if (next != nullptr && !waiter.looks_thoroughly() && next->peek() == nullptr)
      return Look::nothing;
    const Look look = advance_round();
    next = look == Look::nothing ? awaited() : nullptr;
    return look;
  };
  waiter.wait_until(poll, [this](transport::WaitInfo& info) { describe(info); });
}

// Finds the endpoints of which messages or room are missing.
void Executor::find_awaited() const {
  waited_for_.clear();
  const Slice ops = plan_->rounds[round_];
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    if (states_[i].finished) continue;
    const MicroOp& op = plan_->ops[i];
    for (std::uint32_t k = op.peers.begin; k < op.peers.end; ++k) {
      Channel& channel = *plan_->peers[k];
      // A send waits for room on the channel or in the send arena, which any receiver may hold.
      if (op.what == Do::send || channel.peek() == nullptr) waited_for_.push_back(channel.peer());
    }
    for (std::uint32_t k = op.operands.begin; k < op.operands.end; ++k) {
      Channel* channel = plan_->operands[k].channel;
      if (lacks(op, k, states_[i]) && channel->peek() == nullptr)
        waited_for_.push_back(channel->peer());
    }
  }
}

void Executor::describe(transport::WaitInfo& info) const {
  find_awaited();
  info.operation = static_cast<std::uint32_t>(identity_.operation) + 1;
  info.group_size = static_cast<std::uint32_t>(identity_.endpoints.size());
  info.sequence = Tag(label_).number();
  info.round = static_cast<std::int32_t>(round_);
  info.endpoints = waited_for_;
  info.refusal = {refusal, this};
  if (in_flight_->recorder() != nullptr) [[unlikely]]
    info.traced = recorded();
  if (!native_) return;
  // Nobody here sees the messages by which an MPI ends its collective. So nothing wakes a process
  // that waits for one, and the wait counts as one that may end by itself: a job in which all ranks
  // wait does not stand still.
  info.until = transport::WaitInfo::Until::given_up;
  info.is_woken = false;
}

std::string Executor::refusal(const void* self) {
  const Executor& own = *static_cast<const Executor*>(self);
  return fmt::format("rank {} has given up {}, in round {}", own.identity_.rank,
                     describe_operation(own.unnumbered_, Tag(own.label_).number(),
                                        own.in_flight_->group_text(own.identity_.group_id)),
                     own.round_ + 1);
}

}  // namespace tutti::engine
