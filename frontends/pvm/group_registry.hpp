// SPDX-License-Identifier: BSD-3-Clause
// The data of a group that all its members share: instance numbers, the history of membership, the
// membership that each collective operation uses, and arrivals at barriers. They are kept in shared
// memory (group_registry.cpp) or by the pvmd of a real PVM (pvmd/group_registry.cpp).
#pragma once

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tutti::pvm {

// The members of a group at one epoch.
struct GroupMembers {
  std::uint32_t epoch = 0;
  std::vector<int> tids;  // by instance; 0 where there is none
  int size = 0;

  [[nodiscard]] int instance_of(int tid) const {
    const auto found = std::find(tids.begin(), tids.end(), tid);
    return found == tids.end() ? -1 : static_cast<int>(found - tids.begin());
  }
  [[nodiscard]] bool has(int instance) const {
    return instance >= 0 && instance < static_cast<int>(tids.size()) &&
           tids[static_cast<std::size_t>(instance)] != 0;
  }
  // Goes back by one epoch: `instance` becomes the task `before` that it was then (0: none).
  void undo(int instance, int before) {
    const auto at = static_cast<std::size_t>(instance);
    if (at >= tids.size()) tids.resize(at + 1);
    tids[at] = before;
    while (!tids.empty() && tids.back() == 0) tids.pop_back();
    size += before == 0 ? -1 : 1;
    --epoch;
  }
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

// The hosts that take part in an operation as a whole.
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

// Number for the name of a group, equal in every process: FNV-1a with 64 bits.
[[nodiscard]] constexpr std::uint64_t name_hash(std::string_view name) {
  std::uint64_t value = 14695981039346656037U;
  for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return value;
}

class GroupRegistry {
 public:
  enum State : int { absent, open, frozen, broken };
  enum class Meeting { barrier, freeze };

  // Throws std::bad_alloc if there is no memory for the group.
  explicit GroupRegistry(std::string_view name);
  ~GroupRegistry();
  GroupRegistry(const GroupRegistry&) = delete;
  GroupRegistry& operator=(const GroupRegistry&) = delete;

  // Returns the instance number, PvmDupGroup if the task is a member already, PvmNotInGroup if
  // nobody may join, or PvmOutOfRes if there is no place for one more group. `operations_before`
  // gets operations() as it was before.
  int join(int tid, std::uint32_t& operations_before);
  // Returns false if the task is not a member.
  bool leave(int tid);
  // Returns false if the group is frozen already.
  bool freeze();

  // Removes members that have departed. The functions below answer as of the last sweep or later.
  void sweep();
  [[nodiscard]] State state() const;
  // A group that was empty and is made again may count its epochs anew. Then it has another life
  // than before, though its name is the same.
  [[nodiscard]] std::uint32_t life() const;
  [[nodiscard]] std::uint32_t epoch() const;
  // Number of members that have ever ended without leaving the group.
  [[nodiscard]] std::uint32_t deaths() const;
  [[nodiscard]] int size() const;
  [[nodiscard]] GroupMembers membership() const;
  // Returns nullopt if the changes since that epoch are no longer kept.
  [[nodiscard]] std::optional<GroupMembers> membership_at(std::uint32_t epoch) const;

  // Returns the membership and hosts that operation `number` uses. The first member to ask fixes
  // them with its offer. Returns nullopt if the operation is no longer kept.
  [[nodiscard]] std::optional<Pinned> pin(std::uint32_t number,
                                          const std::function<Pinned()>& offer);
  // Marks an operation in which a member could not do its part, so that nobody waits for it.
  void fail(std::uint32_t number);
  [[nodiscard]] bool failed(std::uint32_t number);
  // Number of the next operation, as far as this process can see.
  [[nodiscard]] std::uint32_t operations() const;

  // Waits until `count` members have arrived. If give_up returns non-zero, the arrival is taken
  // back and the result is TUTTI_WOULD_WAIT. TUTTI_MISMATCH means that others wait for another
  // count.
  tutti_status meet(Meeting meeting, int count, tutti_give_up_fn give_up, void* user);

 private:
  struct Shared;
  struct Waiter;

  std::unique_ptr<Shared> shared_;
};

}  // namespace tutti::pvm
