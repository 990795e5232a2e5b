// SPDX-License-Identifier: BSD-3-Clause
// Counts arrivals under a lock that survives its holder.
#include "services/arrival_counter.hpp"

#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::services {
namespace {

using transport::shm::endpoint_id;
using transport::shm::slot_of;

std::uint64_t arrival(std::uint32_t round, std::uint32_t generation) {
  return std::uint64_t{round} << 32 | generation;
}

}  // namespace

class ArrivalCounter::Hold {
 public:
  Hold(ArrivalCounter& counter, const Mapping& mapping, int self, transport::Waiter& waiter)
      : holder_(&counter.holder_) {
    const auto mine = static_cast<std::uint32_t>(self) + 1;
    waiter.wait_for_lock([&] {
      std::uint32_t seen = 0;
      if (holder_->replace(seen, mine)) return true;
      const bool ended = !is_there(mapping, static_cast<int>(seen - 1));
      return ended && holder_->replace(seen, mine);
    });
  }
  ~Hold() { holder_->publish(0); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Shared<std::uint32_t>* holder_;
};

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
  const Hold hold(*this, mapping, self, waiter);
  const std::uint32_t round = round_.peek();
  const int before = living(mapping, round);
  if (before == 0) wanted_.put(wanted);
  if (wanted_.peek() != wanted) return {Answer::mismatch, round, wanted_.peek()};
  if (before + 1 >= wanted) {
    round_.publish(round + 1);
    wake_all(mapping, round);
    return {Answer::complete, round, wanted};
  }
  arrivals_[slot_of(self)].put(arrival(round, transport::shm::generation_of(self)));
  return {Answer::wait, round, wanted};
}

bool ArrivalCounter::withdraw(const Mapping& mapping, int self, std::uint32_t round,
                              transport::Waiter& waiter) {
  const Hold hold(*this, mapping, self, waiter);
  if (over(round)) return false;
  arrivals_[slot_of(self)].put(0);
  return true;
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
