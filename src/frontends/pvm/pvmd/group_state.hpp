// SPDX-License-Identifier: BSD-3-Clause
// The registry of a group (group_registry.hpp) as it is written down at the pvmd.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "group_registry.hpp"
#include "membership.hpp"

namespace tutti::pvm {

// Who has arrived at a barrier. The round tells one barrier from the next.
struct Gathering {
  std::uint32_t round = 0;
  int count = 0;
  std::vector<int> arrived;
};

struct GroupState {
  // Of a group that somebody founds now: its numbers are others than those of a group that had the
  // name before.
  [[nodiscard]] static GroupState founded();
  // nullopt when it was written by another version.
  [[nodiscard]] static std::optional<GroupState> unpack(const std::vector<int>& words);
  [[nodiscard]] std::vector<int> pack() const;

  // As in group_registry.hpp.
  int join(int tid);
  bool leave(int tid);
  // Takes out those that have ended.
  void bury(const std::vector<int>& dead);
  [[nodiscard]] GroupMembers membership() const;
  [[nodiscard]] std::optional<GroupMembers> membership_at(std::uint32_t wanted) const;
  [[nodiscard]] bool has(int tid) const;
  [[nodiscard]] int size() const;
  // By which epoch an operation goes; nullopt when it is too long ago, or still to come.
  [[nodiscard]] std::optional<std::uint32_t> epoch_of(std::uint32_t operation) const;
  // That operation goes by the epoch of now.
  void pin(std::uint32_t operation);
  void note_failure(std::uint32_t operation);

  struct Change {
    int instance, before;
  };
  // From this operation on, until the next such entry.
  struct Pin {
    std::uint32_t operation, epoch;
  };

  GroupRegistry::State state = GroupRegistry::absent;
  std::uint32_t epoch = 0, deaths = 0;
  std::uint32_t operations = 0;  // the one that comes next
  std::vector<int> tids;         // by instance; 0 where there is none
  std::vector<Change> changes;   // the last ones, one for each epoch up to now
  std::vector<Pin> pins;         // the last ones
  std::vector<std::uint32_t> failures;
  std::array<Gathering, 2> meetings;  // by GroupRegistry::Meeting

 private:
  void put(int instance, int tid);
};

}  // namespace tutti::pvm
