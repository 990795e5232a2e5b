// SPDX-License-Identifier: BSD-3-Clause
// Waiting and waking (docs/design.md, "Waiting and waking"): spin, yield, then a timed sleep on the
// endpoint's own futex word.
#pragma once

#include "transport/shm/balance.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/transport.hpp"

namespace tutti::transport::shm {

void wake(Endpoint& target);
// After a store that `target` may be waiting for: store_fenced(), or one that was sequentially
// consistent.
inline void wake_if_asleep(Endpoint& target) {
  if (target.waiter.load() != 0) [[unlikely]]
    wake(target);
}

// How a waiter goes to sleep: after so many turns of sched_yield, for a time that doubles up to the
// longest. Each turn takes 0.5 us where nobody else wants the processor, and to be woken 30 to 45
// us (decision 0036).
struct Naps {
  int yields = 2000;
  long first_nanoseconds = 2'000'000;
  long longest_nanoseconds = 50'000'000;
  bool woken = true;  // by what it waits for; otherwise it has to look itself
};

class Waiter {
 public:
  Waiter(const Mapping& mapping, int self);

  [[nodiscard]] int spin_turns() const { return spin_turns_; }
  void idle(int turn, const Waiting& waiting);
  void awake();
  void set_naps(const Naps& naps) { naps_ = naps; }

 private:
  void publish(const Waiting& waiting);
  [[nodiscard]] int yields() const;
  void give_way(int stage, const Waiting& waiting);
  void yield();
  void show_place();
  [[nodiscard]] bool others_are_at_work(const Waiting& waiting) const;
  void sleep(int naps);
  void choose_spin();
  void show_asleep();

  const Mapping* mapping_;
  Endpoint* own_;
  Balance balance_;
  int yields_now_ = 0;  // in the present wait
  int full_spin_ = 0;   // turns that take about 20 us
  int spin_turns_ = 0;  // full_spin_, or none while processes outnumber processors
  bool asked_for_ = false;
  bool crowded_ = false;
  bool announced_ = false;
  bool displaced_ =
      false;  // another process ran on this processor, although each has one for itself
  // The time-out bounds the price of a wake-up that was missed, and lets the launcher see a sign of
  // life.
  Naps naps_;
};

}  // namespace tutti::transport::shm
