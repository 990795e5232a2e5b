// SPDX-License-Identifier: BSD-3-Clause
// The data of a group as an entry at the pvmd holds them (pvmd/group_registry.cpp reads and writes
// it).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "group_registry.hpp"

namespace tutti::pvm {

// The members that have arrived at a barrier. `round` tells one barrier from the next.
struct Gathering {
  std::uint32_t round = 0;
  int count = 0;
  std::vector<int> arrived;
};

struct GroupState {
  // Returns the state of a group that is founded now. Its numbers differ from those of an earlier
  // group with the same name.
  [[nodiscard]] static GroupState founded();
  // Returns nullopt if another version of tutti has written the words.
  [[nodiscard]] static std::optional<GroupState> unpack(const std::vector<int>& words);
  [[nodiscard]] std::vector<int> pack() const;

  // join and leave do what GroupRegistry's functions of the same names do.
  int join(int tid);
  bool leave(int tid);
  // Removes tasks that have ended without leaving, and counts their deaths.
  void bury(const std::vector<int>& dead);
  [[nodiscard]] GroupMembers membership() const;
  [[nodiscard]] std::optional<GroupMembers> membership_at(std::uint32_t wanted) const;
  [[nodiscard]] bool has(int tid) const;
  [[nodiscard]] int size() const;
  // Returns the epoch that an operation uses; nullopt if it is no longer kept or has not begun.
  [[nodiscard]] std::optional<std::uint32_t> epoch_of(std::uint32_t operation) const;
  // Lets the operation use the current epoch.
  void pin(std::uint32_t operation);
  void note_failure(std::uint32_t operation);

  struct Change {
    int instance, before;
  };
  // The epoch that operations use from `operation` on, until the next Pin.
  struct Pin {
    std::uint32_t operation, epoch;
  };

  GroupRegistry::State state = GroupRegistry::absent;
  std::uint32_t epoch = 0, deaths = 0;
  std::uint32_t operations = 0;  // number of the next operation
  std::vector<int> tids;         // by instance; 0 where there is none
  std::vector<Change> changes;   // the last changes, one for each epoch up to now
  std::vector<Pin> pins;         // the last pins
  std::vector<std::uint32_t> failures;
  std::array<Gathering, 2> meetings;  // by GroupRegistry::Meeting

 private:
  void put(int instance, int tid);
};

}  // namespace tutti::pvm
