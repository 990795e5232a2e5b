// SPDX-License-Identifier: BSD-3-Clause
// The one loop that waits. It alone spins, asks the Idler to yield or sleep, asks predicates,
// looks at deadlines and advances what else goes on. Everything else is a poll that returns at
// once. Engine, services and the wire wait by it. The parts that run while a message may come at
// any moment are inline.
//
// One turn: poll. If that has found all, the wait is over. If it has found something, or a packet
// was held for later, the wait begins anew. If it has found nothing, pause and poll again. After so
// many looks (looks_between_passes, because a poll is quicker than advancing everything else), and
// at each turn beyond the spin, everything else is advanced, and told whether nothing moves. Beyond
// the spin the ends of the wait are asked, and the Idler passes time. However a wait ends, also by
// an exception, it is then no longer shown.
#pragma once

#include "base/tuning.hpp"
#include "transport/progress.hpp"
#include "transport/transport.hpp"
#include "transport/wait_clock.hpp"
#include "transport/wait_end.hpp"

namespace tutti::transport {

class Waiter {
 public:
  // All three must outlive the waiter.
  Waiter(Idler& idler, const Clock& clock, const base::Tuning& tuning)
      : idler_(&idler), clock_(&clock), tuning_(&tuning) {}
  explicit Waiter(Transport& transport) { serve(transport); }
  Waiter() = default;  // serve() comes before the first wait
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  // From now on time passes as this transport has it. Nobody waits at present.
  void serve(Transport& transport) {
    idler_ = &transport.idler();
    clock_ = &transport.clock();
    tuning_ = &transport.tuning();
  }

  // Waits until poll() answers Look::done. Returns false if `end` came before. If the predicate of
  // the job or end.question ends the wait, throws Error(would_wait) with the text of
  // WaitInfo::refusal. `describe(WaitInfo&)` is asked before each idle(), and for a trace when the
  // spin begins; `until` is filled in already.
  template <class Poll, class Describe>
  bool wait_until(const Poll& poll, const Describe& describe, const WaitEnd& end = {}) {
    return wait(poll, describe, end, For::own);
  }
  // Waits until `over()` holds, for something that goes on by itself (Progress), so that each look
  // advances all of that.
  template <class Over, class Describe>
  bool wait_for_others(const Over& over, const Describe& describe, const WaitEnd& end = {}) {
    const auto poll = [&] { return over() ? Look::done : Look::nothing; };
    return wait(poll, describe, end, For::others);
  }
  // Polls for a part, 1 / `share`, of the time of a spin, and advances nothing. Returns what poll()
  // has returned last. `peer` is the endpoint that it is for.
  template <class Poll>
  bool spin_until(const Poll& poll, int peer, std::int64_t share = 1) {
    return poll() || look_again(poll, peer, idler_->spin_turns() / share);
  }
  // Polls at most so many times, and once where processes take turns on a processor.
  template <class Poll>
  bool look_for(const Poll& poll, int peer, std::int64_t looks) {
    if (poll()) return true;
    return idler_->processors() == Processors::enough && look_again(poll, peer, looks - 1);
  }
  // Lets another process run, once. Advances nothing and asks nobody.
  void yield_once();
  // Waits until take() returns true, for a lock in shared memory that its holder gives back soon.
  // Advances nothing, because a function of the program might want the same lock.
  template <class Take>
  void wait_for_lock(const Take& take) {
    while (!spin_until(take, trace::nobody)) yield_once();
  }

  [[nodiscard]] Idler& idler() const { return *idler_; }
  [[nodiscard]] const Clock& clock() const { return *clock_; }
  [[nodiscard]] const base::Tuning& tuning() const { return *tuning_; }
  [[nodiscard]] Progress& progress() { return progress_; }
  [[nodiscard]] WaitClock& wait_clock() { return wait_clock_; }
  // Returns true if the next poll of a wait should look at all that it waits for. It may look only
  // at what is likely otherwise.
  [[nodiscard]] bool looks_thoroughly() const { return looks_left_ == 0; }
  // Returns true inside of a wait, as for a function of the program that is called there.
  [[nodiscard]] bool waits() const { return waits_ > 0; }
  // Sets the predicate that every wait asks after each failed poll beyond its spin.
  void set_question(GiveUp question) { question_ = question; }

 private:
  // A function with what it is about, without a copy of it.
  struct Describer {
    void (*call)(const void* about, WaitInfo& info);
    const void* about;
  };
  enum class For : std::uint8_t { own, others };  // whose progress a wait needs
  template <class Poll>
  bool look_again(const Poll& poll, int peer, std::int64_t turns) {
    Stall stall(wait_clock_, *clock_);
    stall.begin(peer);
    for (; turns > 0; --turns) {
      stall.pause();
      if (poll()) return true;
    }
    return false;
  }
  // One wait, from its first failed poll.
  class Wait {
   public:
    Wait(Waiter& waiter, const WaitEnd& end, For whom);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

    void pause() { stall_.pause(); }
    // Called when a poll has found something, or nothing at the end of a row of looks. Returns
    // false if the wait has come to its end.
    bool turn(Look look, const Describer& describe);
    void idle(int turn, const Describer& describe);

   private:
    [[nodiscard]] bool anything_moves(Look look);
    void begin_anew();
    void spin_on(int spin_turns, const Describer& describe);
    void tell_begin(const Describer& describe);
    [[nodiscard]] WaitInfo info(const Describer& describe) const;
    [[noreturn]] void refuse(const Describer& describe) const;

    Waiter* waiter_;
    const WaitEnd* end_;
    Stall stall_;
    For whom_;
    int turn_ = 0;  // failed polls since anything has moved
    int own_ = 0;   // failed polls since that has moved which is waited for
    std::int64_t outer_looks_left_;
    bool outer_stuck_;
  };

  template <class Poll, class Describe>
  bool wait(const Poll& poll, const Describe& describe, const WaitEnd& end, For whom) {
    Look look = poll();
    if (look == Look::done) return true;
    const Describer describer{
        [](const void* about, WaitInfo& info) { (*static_cast<const Describe*>(about))(info); },
        &describe};
    Wait one(*this, end, whom);
    for (;; look = poll()) {
      if (look == Look::done) return true;
      if (look == Look::nothing && looks_left_ > 0) {
        --looks_left_;
        one.pause();
      } else if (!one.turn(look, describer)) {
        return false;
      }
    }
  }

  Idler* idler_ = nullptr;
  const Clock* clock_ = nullptr;
  const base::Tuning* tuning_ = nullptr;
  Progress progress_;
  WaitClock wait_clock_;
  GiveUp question_;
  std::int64_t looks_left_ = 0;  // polls before others are advanced; 0 outside of a wait
  int waits_ = 0;                // one within the other
  bool shown_ = false;           // idle() was called, and awake() was not
};

}  // namespace tutti::transport
