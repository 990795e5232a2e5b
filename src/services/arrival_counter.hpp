// SPDX-License-Identifier: BSD-3-Clause
// A counter in shared memory at which processes wait until so many have arrived (Directory). It
// knows who has arrived, so that a process that has ended does not count, wherever it was killed.
#pragma once

#include <cstdint>

#include "services/shared_lock.hpp"

namespace tutti::services {

using transport::Shared;
using transport::shm::Mapping;

// Zeroed when it is made. Every change is made by the holder of the lock, and the memory is in
// order after each store of it. So a process that takes the lock over has nothing to repair.
class ArrivalCounter {
 public:
  enum class Answer : std::uint8_t {
    complete,  // this arrival was the last one of its round
    wait,      // wait until over() is true
    mismatch   // others wait for another number of processes
  };
  struct Arrived {
    Answer answer;
    std::uint32_t round;
    int wanted;  // what the others wait for, for Answer::mismatch
  };

  // `self` is an endpoint id. The lock is waited for by `waiter`.
  Arrived arrive(const Mapping& mapping, int self, int wanted, transport::Waiter& waiter);
  [[nodiscard]] bool over(std::uint32_t round) const { return round_.see() != round; }
  // Takes the arrival back. Returns false if its round has ended meanwhile.
  bool withdraw(const Mapping& mapping, int self, std::uint32_t round, transport::Waiter& waiter);

 private:
  [[nodiscard]] Arrived arrive_alone(const Mapping& mapping, int self, int wanted);
  [[nodiscard]] int living(const Mapping& mapping, std::uint32_t round) const;
  void wake_all(const Mapping& mapping, std::uint32_t round) const;

  SharedLock lock_;
  // The holder publishes it, and the waiting processes see it.
  Shared<std::uint32_t> round_;
  Shared<int> wanted_;  // in this round, if anybody has arrived
  // By slot: the round and, in the lower half, the generation of the process that has arrived.
  Shared<std::uint64_t> arrivals_[transport::shm::capacity];
};

}  // namespace tutti::services
