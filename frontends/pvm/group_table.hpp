// SPDX-License-Identifier: BSD-3-Clause
// The names of a machine's groups. Each name that is in use has a place, and the record of that
// place is the group's. When a group has no member any more, another name may get its place, so
// programs may use any number of names one after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

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

}  // namespace tutti::pvm
