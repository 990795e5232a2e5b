// SPDX-License-Identifier: BSD-3-Clause
// How an endpoint in shared memory passes time: it yields, and then sleeps for limited times on the
// endpoint's own futex word (docs/internals/transport.md). It also notices waits for processes that
// are gone. ShmTransport owns it.
#pragma once

#include "transport/clock.hpp"
#include "transport/idler.hpp"
#include "transport/shm/lent_memory.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

// How a waiter goes to sleep: after `yields` calls of sched_yield, for a time that doubles up to
// the longest. A yield takes 0.5 us where nobody else wants the processor; waking takes 30 to 45 us
// (docs/internals/shared-memory.md, "A millisecond of yields before a sleep").
struct Naps {
  std::int64_t yields, first_nanoseconds, longest_nanoseconds;
  bool woken = true;  // the awaited process wakes it; false: it has to poll
};

class ShmIdler final : public Idler {
 public:
  // `fragments` are told when time passes, because a sender may wait for them.
  ShmIdler(const Mapping& mapping, int self, const Clock& clock, LentMemory& fragments);

  [[nodiscard]] int spin_turns() const override { return spin_turns_; }
  // Throws Error(peer_left) when the wait is for a process that is gone and for which the
  // supervisor does not end the job, or when all processes wait in vain.
  void idle(int turn, const WaitInfo& info) override;
  void awake() override;
  void pass() override;
  void set_naps(const Naps& naps) { naps_ = naps; }

 private:
  void throw_if_in_vain(const WaitInfo& info) const;
  void look_for_the_end(const WaitInfo& info);
  [[nodiscard]] int lost_endpoint(const WaitInfo& info) const;
  void give_way_or_sleep(std::int64_t stage, const WaitInfo& info);
  void publish(const WaitInfo& info);
  [[nodiscard]] std::int64_t yields() const;
  void give_way(std::int64_t stage, const WaitInfo& info);
  void yield();
  void move_away() const;
  void show_place();
  [[nodiscard]] bool others_are_at_work(const WaitInfo& info) const;
  void sleep(std::int64_t naps);
  void choose_spin();
  void show_asleep();

  const Mapping* mapping_;
  Endpoint* own_;
  const Clock* clock_;
  LentMemory* fragments_;
  int vain_looks_ = 0;
  // Turns that take as long as the rows spin and spin_crowded say, at least 1.
  int full_spin_ = 0, crowded_spin_ = 0;
  int spin_turns_ = 0;  // the one of these that counts now
  bool oversubscribed_ = false;
  bool announced_ = false;
  // Another process ran on this processor during a yield, although each has a processor for itself.
  bool displaced_ = false;
  std::int64_t displacements_ = 0;  // since a yield has last found the processor free
  // The length of a sleep is limited, which bounds the price of a missed wake-up and lets the
  // launcher see a sign of life.
  Naps naps_{};
  // An awaited endpoint that is gone, or -1. It is reported only after one more poll, which may
  // still find what that endpoint had sent before.
  int lost_ = -1;
  // A wait that the supervisor has found to be in vain is reported after one more poll, too.
  // `standstills_` is how many of those had been found when this wait began.
  bool waits_ = false;
  bool in_vain_ = false;
  std::uint32_t standstills_ = 0;
};

}  // namespace tutti::transport::shm
