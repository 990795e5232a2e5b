// SPDX-License-Identifier: BSD-3-Clause
// The registry of a group (group_registry.hpp) in shared memory.
//
// Whoever joins or leaves makes a new epoch. The collective operations of a group are numbered; the
// first member to arrive at one writes down the epoch it saw, and by that membership all others
// take part. Membership is remembered for the last epochs, so a member that is late finds the one
// it needs. So nobody is asked anything: a call costs a look at two numbers.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "group_registry.hpp"
#include "membership.hpp"
#include "shared_lock.hpp"

namespace tutti::pvm {

// In shared memory, zeroed when it is made. It is used again when the last member has left.
class GroupRecord {
 public:
  using State = GroupRegistry::State;

  // Instance number, or PvmDupGroup, or PvmNotInGroup where nobody may join.
  int join(int tid);
  // False when it is not a member.
  bool leave(int tid);
  // False when it is frozen already.
  bool freeze();

  [[nodiscard]] State state() const { return static_cast<State>(state_.load()); }
  [[nodiscard]] std::uint32_t epoch() const { return epoch_.load(); }
  // Members that have ended without leaving, ever.
  [[nodiscard]] std::uint32_t deaths() const { return deaths_.load(); }
  [[nodiscard]] int size() const { return size_.load(); }
  [[nodiscard]] GroupMembers membership();
  // nullopt when it is too long ago.
  [[nodiscard]] std::optional<GroupMembers> membership_at(std::uint32_t epoch);

  // Takes out the members that are no more. Costs a look when nobody has ended anywhere.
  void sweep();

  // What operation `number` goes by: for the first to ask what it offers. nullopt when it is too
  // long ago.
  template <class Offer>
  [[nodiscard]] std::optional<Pinned> pin(std::uint32_t number, Offer&& offer) {
    if (!was_pinned(number)) pin_to(number, offer());
    return pinned(number);
  }
  // A member could not do its part of the operation: nobody need wait for it.
  void fail(std::uint32_t number) { failures_[number % pins_kept].store(number + 1); }
  [[nodiscard]] bool failed(std::uint32_t number) const {
    return failures_[number % pins_kept].load() == number + 1;
  }
  // The operation that comes next, as far as this process can see.
  [[nodiscard]] std::uint32_t operations() const;

 private:
  struct Change {
    std::uint32_t epoch;
    int instance, before, after;
  };
  static constexpr int most_members = 1024, changes_kept = 1024, pins_kept = 256;

  // The word is written last: who finds the number in it finds the hosts too. Where no host is
  // whole, before or now, that is all there is to do.
  struct Pin {
    static constexpr std::uint64_t busy = 1;  // its hosts are being written, under the lock
    std::atomic<std::uint64_t> word;          // number of the operation + 1, above its epoch
    std::atomic<std::uint64_t> hosts[2];
  };

  [[nodiscard]] bool was_pinned(std::uint32_t number) const {
    return pins_[number % pins_kept].word.load() >> 32 > number;
  }
  void pin_to(std::uint32_t number, const Pinned& offered);
  void pin_with_hosts(std::uint32_t number, const Pinned& offered);
  [[nodiscard]] std::optional<Pinned> pinned(std::uint32_t number) const;
  [[nodiscard]] int find(int tid) const;
  void put(int instance, int tid);
  [[nodiscard]] GroupMembers copy() const;

  // Every operation reads what stands before the lock; what is written meanwhile has lines of its
  // own.
  static constexpr std::size_t line = 64;
  alignas(line) std::atomic<int> state_;
  std::atomic<int> size_;
  std::atomic<std::uint32_t> epoch_, deaths_;
  std::atomic<std::int64_t> departures_;  // of the job, when it was swept last
  alignas(line) SharedLock lock_;
  int top_;  // one more than the highest instance number in use
  int tids_[most_members];
  Change changes_[changes_kept];
  alignas(line) Pin pins_[pins_kept];
  std::atomic<std::uint32_t> failures_[pins_kept];  // number of the operation + 1
};

}  // namespace tutti::pvm
