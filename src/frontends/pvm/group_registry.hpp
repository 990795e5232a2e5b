// SPDX-License-Identifier: BSD-3-Clause
// A group as all its members share it: who has which instance number, since when, by which
// membership each collective operation goes, and who has arrived at a barrier. Where it is written
// down is not said here: in shared memory (group_registry.cpp), or with the pvmd of a real PVM
// (pvmd/group_registry.cpp).
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

  // Throws std::bad_alloc when there is no memory for it.
  explicit GroupRegistry(std::string_view name);
  ~GroupRegistry();
  GroupRegistry(const GroupRegistry&) = delete;
  GroupRegistry& operator=(const GroupRegistry&) = delete;

  // Instance number, or PvmDupGroup, or PvmNotInGroup where nobody may join.
  int join(int tid);
  // False when it is not a member.
  bool leave(int tid);
  // False when it is frozen already.
  bool freeze();

  // Takes out the members that are no more; what is asked below is as of now.
  void sweep();
  [[nodiscard]] State state() const;
  [[nodiscard]] std::uint32_t epoch() const;
  // Members that have ended without leaving, ever.
  [[nodiscard]] std::uint32_t deaths() const;
  [[nodiscard]] int size() const;
  [[nodiscard]] GroupMembers membership() const;
  // nullopt when it is too long ago.
  [[nodiscard]] std::optional<GroupMembers> membership_at(std::uint32_t epoch) const;

  // What operation `number` goes by: for the first to ask what it offers. nullopt when it is too
  // long ago.
  [[nodiscard]] std::optional<Pinned> pin(std::uint32_t number,
                                          const std::function<Pinned()>& offer);
  // A member could not do its part of the operation: nobody need wait for it.
  void fail(std::uint32_t number);
  [[nodiscard]] bool failed(std::uint32_t number);
  // The operation that comes next, as far as this process can see.
  [[nodiscard]] std::uint32_t operations() const;

  // Waits until `count` members have arrived. When give_up says so, the arrival is taken back:
  // TUTTI_WOULD_WAIT. TUTTI_MISMATCH when others are waiting for another count.
  tutti_status meet(Meeting meeting, int count, tutti_give_up_fn give_up, void* user);

 private:
  struct Shared;
  struct Waiter;

  std::unique_ptr<Shared> shared_;
};

}  // namespace tutti::pvm
