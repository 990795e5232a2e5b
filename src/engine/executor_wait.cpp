// SPDX-License-Identifier: BSD-3-Clause
// Runs an execution to its end: what a round waits for, and how long this process looks for it
// before it yields or sleeps.
#include <algorithm>

#include "base/error.hpp"
#include "engine/executor.hpp"
#include "transport/relax.hpp"
#include "transport/wait.hpp"

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

void Executor::wait_for_round() {
  int turn = 0;
  transport::Wait wait(*transport_);
  const InFlight::Waiter waiter(*in_flight_, label_);
  for (;;) {
    const Progress progress = advance_round();
    if (progress == Progress::done) break;
    const bool others_moved = in_flight_->busy() && in_flight_->advance();
    const bool moved = others_moved || progress == Progress::some;
    in_flight_->set_stuck(!moved);
    if (in_flight_->uncovered() || moved) {
      turn = 0;
      wait.over();
      continue;
    }
    const int spin_turns = transport_->spin_turns();
    if (turn >= spin_turns) {
      idle(wait, turn++);
      continue;
    }
    // Polling one channel is quicker than advancing every operation, so all operations get a turn
    // only after so many polls.
    Channel* channel = awaited();
    wait.begin(channel == nullptr ? trace::nobody : channel->peer());
    for (int look = 0; look < transport_->tuning().looks_between_passes && turn < spin_turns;
         ++look, ++turn) {
      if (channel == nullptr || channel->peek() != nullptr) break;
      transport::relax();
    }
    ++turn;
  }
}

void Executor::idle(transport::Wait& wait, int turn, const MayEnd& too) {
  if (in_flight_->vain()) {
    base::fail(base::Status::would_wait, "rank {} has given up {}, in round {}", identity_.rank,
               describe_operation(unnumbered_, Tag(label_).number(),
                                  in_flight_->group_text(identity_.group_id)),
               round_ + 1);
  }
  waited_for_.clear();
  if (native_)
    // Nothing wakes a process that waits for MPI, so it only yields.
    turn = transport_->spin_turns();
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
  if (in_flight_->recorder() != nullptr) [[unlikely]] {
    wait.begin();
    in_flight_->recorder()->wait_is_in(recorded(), round_ + 1);
  }
  wait.idle(turn, {transport::Waiting::For::all,
                   static_cast<std::uint32_t>(identity_.operation) + 1,
                   static_cast<std::uint32_t>(identity_.endpoints.size()),
                   Tag(label_).number(),
                   static_cast<std::int32_t>(round_),
                   waited_for_,
                   too.in_time ? transport::Waiting::Until::given_up : until(),
                   {},
                   too.by_others});
}

// Nobody here sees the messages by which an MPI ends its collective. So a wait for it counts as one
// that may end by itself: a job in which all ranks wait does not stand still.
transport::Waiting::Until Executor::until() const {
  return native_ ? transport::Waiting::Until::given_up : in_flight_->until();
}

}  // namespace tutti::engine
