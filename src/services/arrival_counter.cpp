// SPDX-License-Identifier: BSD-3-Clause
// Counts arrivals under a lock.
#include "services/arrival_counter.hpp"

#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::services {

using transport::shm::endpoint_id;
using transport::shm::slot_of;

// Number of processes that have arrived in this round and have not ended.
int ArrivalCounter::living(const Mapping& mapping, std::uint32_t round) const {
  int count = 0;
  const auto slots = static_cast<int>(mapping.header().slots.see());
  for (int slot = 0; slot < slots; ++slot) {
    const std::uint64_t seen = arrivals_[slot].peek();
    const auto generation = static_cast<std::uint32_t>(seen);
    if (seen >> 32 == round && generation != 0 && is_there(mapping, endpoint_id(slot, generation)))
      ++count;
  }
  return count;
}

ArrivalCounter::Arrived ArrivalCounter::arrive(const Mapping& mapping, int self, int wanted,
                                               transport::Waiter& waiter) {
  lock_.lock(mapping, self, waiter);
  const Arrived arrived = arrive_alone(mapping, self, wanted);
  lock_.unlock(self);
  return arrived;
}

ArrivalCounter::Arrived ArrivalCounter::arrive_alone(const Mapping& mapping, int self, int wanted) {
  const std::uint32_t round = round_.peek();
  const int before = living(mapping, round);
  if (before == 0) wanted_.put(wanted);
  if (wanted_.peek() != wanted) return {Answer::mismatch, round, wanted_.peek()};
  if (before + 1 >= wanted) {
    round_.publish(round + 1);
    wake_all(mapping, round);
    return {Answer::complete, round, wanted};
  }
  arrivals_[slot_of(self)].put(std::uint64_t{round} << 32 | transport::shm::generation_of(self));
  return {Answer::wait, round, wanted};
}

bool ArrivalCounter::withdraw(const Mapping& mapping, int self, std::uint32_t round,
                              transport::Waiter& waiter) {
  lock_.lock(mapping, self, waiter);
  const bool in_time = !over(round);
  if (in_time) arrivals_[slot_of(self)].put(0);
  lock_.unlock(self);
  return in_time;
}

// The round has ended, so nobody can arrive in it any more. If this process is killed before it has
// woken all of them, the others see the end of the round when they look again.
void ArrivalCounter::wake_all(const Mapping& mapping, std::uint32_t round) const {
  const auto slots = static_cast<int>(mapping.header().slots.see());
  for (int slot = 0; slot < slots; ++slot) {
    const std::uint64_t seen = arrivals_[slot].peek();
    if (seen >> 32 == round && static_cast<std::uint32_t>(seen) != 0)
      transport::shm::wake_if_asleep(mapping.header(), mapping.endpoint(slot));
  }
}

}  // namespace tutti::services
