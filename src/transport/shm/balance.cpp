// SPDX-License-Identifier: BSD-3-Clause
// Moves a process by an affinity that is lifted at once, so that the kernel may move it again at
// any time.
#include "transport/shm/balance.hpp"

#include <array>

namespace tutti::transport::shm {
namespace {

// Most yields in a wait that counts as short. A program that computes between its calls waits
// longer, and its place is left to the kernel.
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
  const int here = sched_getcpu();
  cpu_set_t allowed;
  if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return;
  const int place = better_place(here, allowed);
  if (place == here) return;
  // The new place is shown before the move, so that processes that count meanwhile see it.
  own_->stands_on.store(static_cast<std::uint32_t>(place) + 1, std::memory_order_relaxed);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(place, &one);
  // Failure is harmless: another set of processors is then in force, by which the kernel has moved
  // this process.
  if (sched_setaffinity(0, sizeof one, &one) == 0) sched_setaffinity(0, sizeof allowed, &allowed);
}

int Balance::better_place(int here, const cpu_set_t& allowed) const {
  std::array<int, CPU_SETSIZE> standing{};
  const auto at = [&](int cpu) -> int& { return standing[static_cast<std::size_t>(cpu)]; };
  const auto slots = static_cast<int>(mapping_->header().slots.load(std::memory_order_relaxed));
  for (int slot = 0; slot < slots; ++slot) {
    const Endpoint& endpoint = mapping_->endpoint(slot);
    const std::uint32_t place = endpoint.stands_on.load(std::memory_order_relaxed);
    if (place == 0 || place > standing.size()) continue;
    if (endpoint.presence.load(std::memory_order_relaxed) == Presence::attached)
      ++at(static_cast<int>(place) - 1);
  }
  int least = here;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed) && at(cpu) < at(least)) least = cpu;
  }
  return at(least) + 2 <= at(here) ? least : here;
}

}  // namespace tutti::transport::shm
