// SPDX-License-Identifier: BSD-3-Clause
// The move is an affinity that is lifted at once, so that the kernel may place the process anew at any time.
#include "transport/shm/balance.hpp"

#include <sched.h>

#include <array>

namespace tutti::transport::shm {
namespace {

// A program that computes between its calls waits longer, and who computes beside whom is the kernel's matter.
constexpr int yields_of_short_wait = 8;
constexpr int waits_before_look = 128;

}  // namespace

void Balance::waited(int yields, bool slept) {
  if (slept || yields > yields_of_short_wait) {
    streak_ = 0;
  } else if (++streak_ == waits_before_look) {
    streak_ = 0;
    look();
  }
}

void Balance::look() {
  const int place = better_place();
  if (place == 0) return;
  cpu_set_t allowed, one;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  CPU_ZERO(&one);
  CPU_SET(place - 1, &one);
  own_->stands_on.store(static_cast<std::uint32_t>(place), std::memory_order_relaxed);  // others look from now on
  if (sched_setaffinity(0, sizeof one, &one) == 0) sched_setaffinity(0, sizeof allowed, &allowed);
}

int Balance::better_place() const {
  std::array<int, CPU_SETSIZE> standing{};
  const auto slots = static_cast<int>(mapping_->header().slots.load(std::memory_order_relaxed));
  for (int slot = 0; slot < slots; ++slot) {
    const Endpoint& endpoint = mapping_->endpoint(slot);
    if (endpoint.presence.load(std::memory_order_relaxed) != Presence::attached) continue;
    const std::uint32_t place = endpoint.stands_on.load(std::memory_order_relaxed);
    if (place > 0 && place <= standing.size()) ++standing[place - 1];
  }
  const int here = sched_getcpu();
  cpu_set_t allowed;
  if (here < 0 || here >= CPU_SETSIZE || standing[static_cast<std::size_t>(here)] < 2) return 0;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  int least = here;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    const auto at = [&](int which) { return standing[static_cast<std::size_t>(which)]; };
    if (CPU_ISSET(cpu, &allowed) && at(cpu) < at(least)) least = cpu;
  }
  return standing[static_cast<std::size_t>(least)] + 2 <= standing[static_cast<std::size_t>(here)] ? least + 1 : 0;
}

}  // namespace tutti::transport::shm
