// SPDX-License-Identifier: BSD-3-Clause
// Sleeps and wakes by the futex word of an endpoint.
#include "transport/shm/wake.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace tutti::transport::shm {
namespace {

long futex(Shared<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) {
  return syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

}  // namespace

void wake(Endpoint& target) {
  if (target.waiter.exchange(0) != 0) futex(target.waiter, FUTEX_WAKE, 1, nullptr);
}

void sleep_unless_woken(Endpoint& own, std::int64_t nanoseconds) {
  constexpr std::int64_t second = 1'000'000'000;
  const timespec timeout{nanoseconds / second, nanoseconds % second};
  futex(own.waiter, FUTEX_WAIT, 1, &timeout);
}

void sleep_on(Shared<std::uint32_t>& word, std::uint32_t value) {
  futex(word, FUTEX_WAIT, value, nullptr);
}

void wake_on(Shared<std::uint32_t>& word) {
  futex(word, FUTEX_WAKE, 1, nullptr);
}

}  // namespace tutti::transport::shm
