// SPDX-License-Identifier: BSD-3-Clause
// A lock in memory that processes share, and that survives its holder. It is one word, which names
// the process that has the lock. If that one has ended, the next process takes the lock over and is
// told, because what the lock guards may be half changed. Arrival counters are guarded by it, and
// records of front ends (tutti_lock).
#pragma once

#include "base/error.hpp"
#include "transport/shm/slots.hpp"
#include "transport/waiter.hpp"

namespace tutti::services {

// Zeroed when it is made. `self` is the endpoint id of this process.
class SharedLock {
 public:
  // Returns true if the last holder has ended while it had the lock. The caller then repairs what
  // the lock guards, and if it ends meanwhile, the next one is told, too.
  bool lock(const transport::shm::Mapping& mapping, int self, transport::Waiter& waiter) {
    const std::uint32_t mine = static_cast<std::uint32_t>(self) + 1;
    bool has_ended = false;
    waiter.wait_for_lock([&] {
      std::uint32_t seen = 0;
      if (holder_.replace(seen, mine)) return true;
      if (seen == mine)
        base::fail(base::Status::invalid_argument, "this process has the lock already");
      has_ended = !is_there(mapping, static_cast<int>(seen - 1)) && holder_.replace(seen, mine);
      return has_ended;
    });
    return has_ended;
  }
  void unlock(int self) {
    if (holder_.peek() != static_cast<std::uint32_t>(self) + 1)
      base::fail(base::Status::invalid_argument, "this process does not have the lock");
    holder_.publish(0);
  }

 private:
  // 1 + endpoint id of the holder, or 0. It is replaced to take the lock, and the holder publishes
  // 0. So the lock orders what its holders peek at and put.
  transport::Shared<std::uint32_t> holder_;
};

}  // namespace tutti::services
