// SPDX-License-Identifier: BSD-3-Clause
// Puts a process to sleep on the word of its endpoint, and wakes it. Its idler sleeps; channels,
// mail, records, services and the supervisor wake others.
#pragma once

#include "transport/shm/fence.hpp"

namespace tutti::transport::shm {

void wake(Endpoint& target);
// Wakes `target` if it sleeps. Called after a store that it may be waiting for (fence.hpp).
inline void wake_if_asleep(const SegmentHeader& header, Endpoint& target) {
  if (asks(header, target.waiter)) [[unlikely]]
    wake(target);
}
// Sleeps until wake() is called, or so many nanoseconds. Returns at once if the word says that the
// process is awake.
void sleep_unless_woken(Endpoint& own, std::int64_t nanoseconds);

// Sleeps as long as a word has this value, or until wake_on() is called.
void sleep_on(Shared<std::uint32_t>& word, std::uint32_t value);
void wake_on(Shared<std::uint32_t>& word);

}  // namespace tutti::transport::shm
