// SPDX-License-Identifier: BSD-3-Clause
// Waits and wakes: spin, then yield, then a timed sleep on the endpoint's own futex word
// (docs/internals/transport.md). ShmTransport owns a waiter; channels, mail and services
// wake others.
#pragma once

#include "transport/shm/balance.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/transport.hpp"

namespace tutti::transport::shm {

void wake(Endpoint& target);
// Wakes `target` if it sleeps. Called after a store that it may be waiting for, made by
// store_fenced() or with sequential consistency.
inline void wake_if_asleep(Endpoint& target) {
  if (target.waiter.load() != 0) [[unlikely]]
    wake(target);
}

// How a waiter goes to sleep: after `yields` calls of sched_yield, for a time that doubles up to
// the longest. A yield takes 0.5 us where nobody else wants the processor; waking takes 30 to 45 us
// (docs/internals/shared-memory.md, "A millisecond of yields before a sleep").
struct Naps {
  std::int64_t yields, first_nanoseconds, longest_nanoseconds;
  bool woken = true;  // the awaited process wakes it; false: it has to poll
};

class Waiter {
 public:
  Waiter(const Mapping& mapping, int self);

  [[nodiscard]] int spin_turns() const { return spin_turns_; }
  void idle(int turn, const Waiting& waiting);
  // Yields in an oversubscribed job; see Transport.
  void looked_in_vain();
  void awake();
  void set_naps(const Naps& naps) { naps_ = naps; }

 private:
  void publish(const Waiting& waiting);
  [[nodiscard]] std::int64_t yields() const;
  void give_way(std::int64_t stage, const Waiting& waiting);
  void yield();
  void show_place();
  [[nodiscard]] bool others_are_at_work(const Waiting& waiting) const;
  void sleep(std::int64_t naps);
  void choose_spin();
  void show_asleep();

  const Mapping* mapping_;
  Endpoint* own_;
  Balance balance_;
  int yields_now_ = 0;  // yields in the present wait
  int vain_looks_ = 0;
  // Turns that take as long as the rows spin and spin_crowded say, at least 1.
  int full_spin_ = 0, crowded_spin_ = 0;
  int spin_turns_ = 0;  // the one of these that counts now
  bool oversubscribed_ = false;
  bool announced_ = false;
  // Another process ran on this processor during a yield, although each has a processor for itself.
  bool displaced_ = false;
  // The length of a sleep is limited, which bounds the price of a missed wake-up and lets the
  // launcher see a sign of life.
  Naps naps_{};
};

}  // namespace tutti::transport::shm
