// SPDX-License-Identifier: BSD-3-Clause
// The data of a group that all its members share: instance numbers, the history of membership, the
// membership that each collective operation uses, and arrivals at barriers. They are kept in shared
// memory (group_registry.cpp) or by the pvmd of a real PVM (pvmd/group_registry.cpp).
#pragma once

#include <tutti/tutti_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "membership.hpp"

namespace tutti::pvm {

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
