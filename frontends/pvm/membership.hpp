// SPDX-License-Identifier: BSD-3-Clause
// The members of a group at one epoch, and the hosts that take part in an operation as a whole.
// Both group registries (shared memory, pvmd) use them.
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
  // Number of members with a lower instance number.
  [[nodiscard]] int rank_of(int instance) const;
  [[nodiscard]] bool has(int instance) const;
  // Goes back by one epoch: `instance` becomes the task `before` that it was then (0: none).
  void undo(int instance, int before);
  [[nodiscard]] bool whole() const { return size == static_cast<int>(tids.size()); }
};

// The operations of a group are numbered in a circle, because there may be more than 2^32 of them.
// The circle leaves out the highest number, so a number + 1 is never 0, which stands for none.
[[nodiscard]] constexpr std::uint32_t operation_after(std::uint32_t number) {
  const std::uint32_t next = number + 1;
  return next + 1 == 0 ? 0 : next;
}
// Returns true if operation `a` comes before `b`: they are less than half the circle apart.
[[nodiscard]] constexpr bool comes_before(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a - b) < 0;
}

struct HostSet {
  std::uint64_t bits[2] = {0, 0};

  [[nodiscard]] bool has(int host) const { return (bits[host / 64] >> host % 64 & 1) != 0; }
  void add(int host) { bits[host / 64] |= std::uint64_t{1} << host % 64; }
  [[nodiscard]] bool empty() const { return (bits[0] | bits[1]) == 0; }
};

// The agreement of all members on one collective operation: the epoch whose members take part, and
// the hosts all of whose tasks take part.
struct Pinned {
  std::uint32_t epoch = 0;
  HostSet whole_hosts;
};

// Number for the name of a group, equal in every process.
[[nodiscard]] std::uint64_t name_hash(std::string_view name);

}  // namespace tutti::pvm
