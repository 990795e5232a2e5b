// SPDX-License-Identifier: BSD-3-Clause
// Who belongs to a group at a moment.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tutti::pvm {

struct GroupMembers {
  std::uint32_t epoch = 0;
  std::vector<int> tids;  // by instance; 0 where there is none
  int size = 0;

  [[nodiscard]] int instance_of(int tid) const;
  // How many members have a lower instance number.
  [[nodiscard]] int rank_of(int instance) const;
  [[nodiscard]] bool has(int instance) const;
  // Back by one epoch: before it, the instance was that task (0: there was none).
  void undo(int instance, int before);
  [[nodiscard]] bool whole() const { return size == static_cast<int>(tids.size()); }
};

// A set of hosts.
struct HostSet {
  std::uint64_t bits[2] = {0, 0};

  [[nodiscard]] bool has(int host) const { return (bits[host / 64] >> host % 64 & 1) != 0; }
  void add(int host) { bits[host / 64] |= std::uint64_t{1} << host % 64; }
  [[nodiscard]] bool empty() const { return (bits[0] | bits[1]) == 0; }
};

// What a collective operation goes by at all members: who takes part, and of which hosts all tasks
// do.
struct Pinned {
  std::uint32_t epoch = 0;
  HostSet whole_hosts;
};

// A number for the name of a group, the same in every process.
[[nodiscard]] std::uint64_t name_hash(std::string_view name);

}  // namespace tutti::pvm
