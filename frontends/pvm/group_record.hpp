// SPDX-License-Identifier: BSD-3-Clause
// The registry of a group (group_registry.hpp) in shared memory, and the names of a machine's
// groups.
//
// Each name that is in use has a place in the table, and the record of that place is the group's.
// When a group has no member any more, another name may get its place, so programs may use any
// number of names one after the other.
//
// Each join or departure makes a new epoch. The collective operations of a group are numbered. The
// first member to arrive at an operation writes down the epoch that it saw, and all other members
// use the membership of that epoch. Changes of the last epochs are kept, so a late member can
// reconstruct the membership it needs. No member asks another one: a call costs a look at two
// numbers.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>

#include "group_registry.hpp"
#include "record_lock.hpp"

namespace tutti::pvm {

// Lies in shared memory, zeroed when it is made.
class GroupTable {
 public:
  static constexpr int places = 1024;
  static constexpr std::size_t name_bytes = 64;

  // A place, and which of the names that it has had: `life` is another number each time a place of
  // the table gets a name, and never 0.
  struct Seat {
    int place = -1;
    std::uint32_t life = 0;
  };

  // Must be held by callers of find() and give(), and until the group has a member.
  [[nodiscard]] RecordLock& lock() { return lock_; }
  // Returns place -1 if no place has the name.
  [[nodiscard]] Seat find(std::string_view name) const;
  // Gives the name to a place: the first one for which reusable(place) is true, else the first that
  // was never used. Returns place -1 if there is none.
  template <class Reusable>
  [[nodiscard]] Seat give(std::string_view name, Reusable&& reusable) {
    int place = 0;
    while (place < used_.load() && !reusable(place)) ++place;
    return place < places ? give_to(place, name) : Seat{};
  }
  // Returns true if the name still has this place.
  [[nodiscard]] bool holds(Seat seat) const {
    return seat.place >= 0 && entries_[seat.place].life.load() == seat.life;
  }

 private:
  struct Entry {
    std::atomic<std::uint32_t> life;  // 0 while the place has no name
    char name[name_bytes];
  };

  [[nodiscard]] Seat give_to(int place, std::string_view name);

  RecordLock lock_;
  std::atomic<std::uint32_t> lives_;
  std::atomic<int> used_;  // places that ever had a name
  Entry entries_[places];
};

// Lies in shared memory, zeroed when it is made. A group record is used again after its last member
// has left.
class GroupRecord {
 public:
  using State = GroupRegistry::State;

  // Returns the instance number, PvmDupGroup if the task is a member already, or PvmNotInGroup if
  // nobody may join.
  int join(int tid);
  // Returns false if the task is not a member.
  bool leave(int tid);
  // Returns false if the group is frozen already.
  bool freeze();

  [[nodiscard]] State state() const { return static_cast<State>(state_.load()); }
  [[nodiscard]] std::uint32_t epoch() const { return epoch_.load(); }
  // Number of members that have ever ended without leaving the group.
  [[nodiscard]] std::uint32_t deaths() const { return deaths_.load(); }
  [[nodiscard]] int size() const { return size_.load(); }
  [[nodiscard]] GroupMembers membership();
  // Returns nullopt if the changes since that epoch are no longer kept.
  [[nodiscard]] std::optional<GroupMembers> membership_at(std::uint32_t epoch);

  // Removes members that have departed. If no task of the job has departed since the last call, the
  // cost is one look.
  void sweep();

  // Returns the membership and hosts that operation `number` uses. The first member to ask fixes
  // them with its offer. Returns nullopt if the operation is no longer kept.
  template <class Offer>
  [[nodiscard]] std::optional<Pinned> pin(std::uint32_t number, Offer&& offer) {
    if (!was_pinned(number)) pin_to(number, offer());
    return pinned(number);
  }
  // Marks an operation in which a member could not do its part, so that nobody waits for it.
  void fail(std::uint32_t number) { failures_[number % pins_kept].store(number + 1); }
  [[nodiscard]] bool failed(std::uint32_t number) const {
    return failures_[number % pins_kept].load() == number + 1;
  }
  // Number of the next operation, as far as this process can see.
  [[nodiscard]] std::uint32_t operations() const;

 private:
  struct Change {
    std::uint32_t epoch;
    int instance, before, after;
  };
  static constexpr int most_members = 1024, changes_kept = 1024, pins_kept = 256;

  // Members and hosts of one operation. The word is written last, so a reader that finds the number
  // in it also finds the hosts. If no host takes part as a whole, before or now, only the word
  // changes.
  struct Pin {
    static constexpr std::uint64_t busy = 1;  // its hosts are being written, under the lock
    std::atomic<std::uint64_t> word;          // number of the operation + 1, above its epoch
    std::atomic<std::uint64_t> hosts[2];
  };

  // Returns true if the word is that of this operation, or of a later one with the same place.
  [[nodiscard]] static bool is_for(std::uint64_t word, std::uint32_t number) {
    const auto after = static_cast<std::uint32_t>(word >> 32);
    return after != 0 && !comes_before(after, number + 1);
  }
  [[nodiscard]] bool was_pinned(std::uint32_t number) const {
    return is_for(pins_[number % pins_kept].word.load(), number);
  }
  void pin_to(std::uint32_t number, const Pinned& offered);
  void pin_with_hosts(std::uint32_t number, const Pinned& offered);
  [[nodiscard]] std::optional<Pinned> pinned(std::uint32_t number) const;
  [[nodiscard]] int find(int tid) const;
  [[nodiscard]] std::unique_lock<RecordLock> hold();
  void put(int instance, int tid);
  void apply(const Change& change);
  void repair();
  [[nodiscard]] GroupMembers copy() const;

  // Every operation reads the fields before the lock. Fields that are written meanwhile have cache
  // lines of their own.
  static constexpr std::size_t line = 64;
  alignas(line) std::atomic<int> state_;
  std::atomic<int> size_;
  std::atomic<std::uint32_t> epoch_, deaths_;
  std::atomic<std::int64_t> departures_;  // departures of the job at the last sweep
  alignas(line) RecordLock lock_;
  int top_;  // one more than the highest instance number in use
  int tids_[most_members];
  Change changes_[changes_kept];
  alignas(line) Pin pins_[pins_kept];
  std::atomic<std::uint32_t> failures_[pins_kept];  // number of the operation + 1
};

}  // namespace tutti::pvm
