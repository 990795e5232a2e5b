// SPDX-License-Identifier: BSD-3-Clause
// Spreads the processes of an oversubscribed job over the processors. After some have slept, three
// may stand on one processor and one on another, and the kernel moves one only after tens of
// milliseconds. A process whose waits are short moves itself to a less occupied processor. The
// waiter uses it.
#pragma once

#include <sched.h>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

class Balance {
 public:
  Balance(const Mapping& mapping, int self) : mapping_(&mapping), own_(&mapping.endpoint(self)) {}

  // Called after a wait in which this process yielded `yields` times.
  void waited(int yields, bool slept);

 private:
  void look();
  // Returns the least occupied of the allowed processors if this process is better off there, else
  // `here`.
  [[nodiscard]] int better_place(int here, const cpu_set_t& allowed) const;

  const Mapping* mapping_;
  Endpoint* own_;
  int streak_ = 0;  // short waits in a row
};

}  // namespace tutti::transport::shm
