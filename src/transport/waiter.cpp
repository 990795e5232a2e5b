// SPDX-License-Identifier: BSD-3-Clause
// Implements turns of a wait after a failed poll.
#include "transport/waiter.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace tutti::transport {

Waiter::Wait::Wait(Waiter& waiter, const WaitEnd& end, For whom)
    : waiter_(&waiter),
      end_(&end),
      stall_(waiter.wait_clock_, *waiter.clock_),
      whom_(whom),
      outer_looks_left_(std::exchange(waiter.looks_left_, 0)),
      outer_stuck_(waiter.progress_.stuck()) {
  ++waiter.waits_;
}

// A function of the program that is called in a wait may wait, too.
Waiter::Wait::~Wait() {
  --waiter_->waits_;
  begin_anew();
  waiter_->looks_left_ = outer_looks_left_;
  waiter_->progress_.set_stuck(outer_stuck_);
}

void Waiter::Wait::begin_anew() {
  turn_ = 0;
  waiter_->looks_left_ = 0;
  stall_.end();
  if (std::exchange(waiter_->shown_, false)) waiter_->idler_->awake();
}

// Advances everything else, and tells it whether anything moves. Returns true if it is too early to
// let time pass.
bool Waiter::Wait::anything_moves(Look look) {
  Progress& others = waiter_->progress_;
  const bool others_moved = others.busy() && others.advance();
  const bool moved = others_moved || look == Look::progress;
  const bool own_moved = look == Look::progress || (others_moved && whom_ == For::others);
  own_ = own_moved ? 0 : own_ + 1;
  others.set_stuck(!moved);
  return others.take_held() || moved;
}

// The predicates of the job and the call may be dear, and are not asked while that moves which is
// waited for.
bool Waiter::Wait::turn(Look look, const Describer& describe) {
  const bool moves = anything_moves(look);
  if (look == Look::progress) return begin_anew(), true;
  if (end_->possible() && end_->now(*waiter_->clock_)) return false;
  const int spin_turns = waiter_->idler_->spin_turns();
  if (own_ > spin_turns && (waiter_->question_.now() || end_->question.now())) [[unlikely]]
    refuse(describe);
  if (moves) {
    begin_anew();
  } else if (turn_ < spin_turns) {
    spin_on(spin_turns, describe);
  } else {
    idle(turn_, describe);
    ++turn_;
  }
  return true;
}

void Waiter::Wait::spin_on(int spin_turns, const Describer& describe) {
  tell_begin(describe);
  const auto looks_between = static_cast<int>(waiter_->tuning_->looks_between_passes);
  const int looks = whom_ == For::others ? 1 : std::min(looks_between, spin_turns - turn_);
  turn_ += looks;
  own_ += looks - 1;
  waiter_->looks_left_ = looks - 1;
  pause();
}

void Waiter::Wait::idle(int turn, const Describer& describe) {
  tell_begin(describe);
  stall_.goes_on();
  const WaitInfo shown = info(describe);
  if (trace::Tracer* const recorder = stall_.recorder()) {
    const auto round = static_cast<std::uint32_t>(shown.round) + 1;
    if (shown.traced) recorder->wait_is_in(*shown.traced, round);
    recorder->still_waits();
    if (!shown.endpoints.empty())
      recorder->wait_is_for(shown.endpoints.front(), shown.endpoints.size() - 1);
  }
  waiter_->shown_ = true;
  waiter_->idler_->idle(turn, shown);
}

void Waiter::Wait::tell_begin(const Describer& describe) {
  if (!stall_.wanted()) [[likely]]
    return;
  const auto endpoints = info(describe).endpoints;
  stall_.begin(endpoints.size() == 1 ? endpoints.front() : trace::nobody);
}

WaitInfo Waiter::Wait::info(const Describer& describe) const {
  WaitInfo info;
  if (end_->in_time()) info.until = WaitInfo::Until::given_up;
  describe.call(describe.about, info);
  return info;
}

void Waiter::Wait::refuse(const Describer& describe) const {
  const WaitInfo::Refusal refusal = info(describe).refusal;
  base::fail(
      base::Status::would_wait, "{}",
      refusal.text == nullptr ? "this process has given up its wait" : refusal.text(refusal.about));
}

void Waiter::yield_once() {
  const WaitEnd no_end;
  Wait one(*this, no_end, For::own);
  one.idle(idler_->spin_turns(),
           {[](const void*, WaitInfo& info) { info.kind = WaitInfo::For::any; }, nullptr});
}

}  // namespace tutti::transport
