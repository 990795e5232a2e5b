// SPDX-License-Identifier: BSD-3-Clause
// A group as one process sees it: the registry that all members share, the instance number of this
// process, the membership it remembers, and the group of the runtime that runs the collective
// operations.
#pragma once

#include <tutti/tutti_runtime.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "group_registry.hpp"

namespace tutti::pvm {

// The ranks that the members of a group have in the runtime. On one host, ranks follow instance
// numbers. On several hosts, ranks are sorted by host and then by task identifier, so the first
// rank of a host is its coordinator.
struct GroupPlacement {
  std::vector<int> tids;   // by rank
  std::vector<int> hosts;  // members of each host; empty if there is one host
  std::vector<int> place;  // by rank: how many members have a lower instance number

  [[nodiscard]] static GroupPlacement of(const GroupMembers& members);
  [[nodiscard]] int rank_of(int tid) const;
  // Returns true if ranks and instances have the same order.
  [[nodiscard]] bool in_order() const;
  // to_ranks and to_instances reorder a vector with a part of `bytes` for each member: from the
  // order of instances to the order of ranks, and back.
  void to_ranks(std::byte* by_rank, const std::byte* by_instance, std::size_t bytes) const;
  void to_instances(std::byte* by_instance, const std::byte* by_rank, std::size_t bytes) const;
};

class PvmGroup {
 public:
  // Throws std::bad_alloc if there is no shared memory for the registry.
  explicit PvmGroup(std::string_view name);
  ~PvmGroup();
  PvmGroup(const PvmGroup&) = delete;
  PvmGroup& operator=(const PvmGroup&) = delete;

  [[nodiscard]] GroupRegistry& registry() { return registry_; }
  // Returns PvmOk if the group exists and, with As::member, this task belongs to it.
  enum class As { anybody, member };
  [[nodiscard]] int check(As as);
  // Returns the present members. Reads them again only after a join or a departure, which changes
  // the epoch.
  [[nodiscard]] const GroupMembers& members();
  [[nodiscard]] int instance();

  int join();
  int leave();
  int barrier(int count);
  int freeze(int size);

  // The members that take part in a collective operation, valid until the next one.
  struct Participants {
    tutti_group group{0};  // of the runtime
    const GroupMembers* instances = nullptr;
    const GroupPlacement* placement = nullptr;
    int rank = 0;              // of this task
    std::uint32_t number = 0;  // of the operation
    // Hosts with several tasks, all of them members; empty if the machine has one host.
    HostSet whole_hosts;
  };
  // Starts the next operation. Returns PvmOk, or an error that ends the operation.
  int begin(Participants& taking_part);
  // Makes a group of the runtime from some ranks of the operation in progress, including this task.
  // `purpose` tells equal lists apart. The group is valid until the next operation.
  tutti_status part(int purpose, const std::vector<int>& ranks, tutti_group& group);

 private:
  [[nodiscard]] std::uint32_t joining_epoch();
  int meet(GroupRegistry::Meeting meeting, int count);
  [[nodiscard]] int adopt(std::uint32_t epoch);
  tutti_status make(const std::vector<int>& ranks, std::uint64_t purpose, tutti_group& group) const;
  [[nodiscard]] HostSet whole_hosts();
  void forget_engine();

  std::string name_;
  GroupRegistry registry_;
  GroupMembers now_;        // members at the last look
  std::uint32_t life_ = 0;  // GroupRegistry::life() at that look
  int tid_;
  bool member_ = false;
  std::uint32_t joined_ = 0;  // epoch of the group in which this task joined
  std::uint32_t next_ = 0;    // number of this task's next operation
  std::uint32_t deaths_ = 0;  // deaths when this task joined: a later one may fail its barriers
  GroupMembers pinned_;       // members that `engine_` was made from
  GroupPlacement placement_;  // ranks of `engine_`
  tutti_group engine_{0};
  struct Part {
    int purpose;
    std::vector<int> ranks;
    tutti_group group;
  };
  std::vector<Part> parts_;  // groups made from ranks of `engine_`
};

// The groups that this process uses, by name; each is made at first use.
class Groups {
 public:
  PvmGroup& at(std::string_view name);
  // Forgets a group that has no members any more, because a program may use any number of names.
  void forget_if_gone(std::string_view name);
  void leave_all();

 private:
  std::map<std::string, std::unique_ptr<PvmGroup>, std::less<>> all_;
};

[[nodiscard]] Groups& groups();

}  // namespace tutti::pvm
