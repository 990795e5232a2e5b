// SPDX-License-Identifier: BSD-3-Clause
// A group as one process sees it: the registry that its members share, its own instance number,
// what it remembers of the membership, and the group of the runtime on which the collective
// operations run.
#pragma once

#include <tutti/tutti_runtime.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "group_registry.hpp"
#include "placement.hpp"

namespace tutti::pvm {

class PvmGroup {
 public:
  // Throws std::bad_alloc when there is no shared memory for it.
  explicit PvmGroup(std::string_view name);
  ~PvmGroup();
  PvmGroup(const PvmGroup&) = delete;
  PvmGroup& operator=(const PvmGroup&) = delete;

  [[nodiscard]] GroupRegistry& registry() { return registry_; }
  // PvmOk when there is such a group, and this task is a member if `member` says that it must be.
  enum class As { anybody, member };
  [[nodiscard]] int check(As as);
  // Who belongs to it now; looked up again only when that has changed.
  [[nodiscard]] const GroupMembers& members();
  [[nodiscard]] int instance();

  int join();
  int leave();
  int barrier(int count);
  int freeze(int size);

  // A collective operation of all members begins.
  struct Operation {
    tutti_group group{0};
    const GroupMembers* members = nullptr;
    const GroupPlacement* placement = nullptr;
    int rank = 0;
    std::uint32_t number = 0;
    HostSet whole_hosts;  // of several tasks, which are all members; none where the machine has one
                          // host
    PvmGroup* owner = nullptr;
  };
  // PvmOk or an error; then the operation is over.
  int begin(Operation& operation);
  // Some of the ranks of the operation in progress, this task among them, as a group of the
  // runtime. `purpose` tells lists apart that may be equal. Only until the next operation.
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
  GroupMembers now_;  // as of the last look
  int tid_;
  bool member_ = false;
  std::uint32_t joined_ = 0;  // the epoch
  std::uint32_t next_ = 0;    // operation
  std::uint32_t deaths_ = 0;  // that this task knows of: each is an error of one barrier
  GroupMembers pinned_;       // of `engine_`
  GroupPlacement placement_;  // likewise
  tutti_group engine_{0};
  struct Part {
    int purpose;
    std::vector<int> ranks;
    tutti_group group;
  };
  std::vector<Part> parts_;  // of engine_
};

// By name, made at first use.
class Groups {
 public:
  PvmGroup& at(std::string_view name);
  void leave_all();

 private:
  std::map<std::string, std::unique_ptr<PvmGroup>, std::less<>> all_;
};

[[nodiscard]] Groups& groups();

}  // namespace tutti::pvm
