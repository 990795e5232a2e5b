// SPDX-License-Identifier: BSD-3-Clause
// Where processes take turns on processors, three may stand on one and one on the other after some
// have slept, and the kernel parts them only after tens of milliseconds. A process that exchanges
// short messages with the others and stands where more of them stand moves over (decision 0044).
#pragma once

#include <sched.h>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

class Balance {
 public:
  Balance(const Mapping& mapping, int self) : mapping_(&mapping), own_(&mapping.endpoint(self)) {}

  // A wait is over in which this process let others run so many times.
  void waited(int yields, bool slept);

 private:
  void look();
  // The least occupied of the processors allowed, if this process is better off there; else where
  // it is.
  [[nodiscard]] int better_place(int here, const cpu_set_t& allowed) const;

  const Mapping* mapping_;
  Endpoint* own_;
  int streak_ = 0;  // short waits in a row
};

}  // namespace tutti::transport::shm
