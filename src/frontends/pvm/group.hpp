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

class Group {
 public:
  // Throws std::bad_alloc when there is no shared memory for it.
  explicit Group(std::string_view name);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  [[nodiscard]] GroupRegistry& registry() { return registry_; }
  // PvmOk when there is such a group, and this task is a member if `member` says that it must be.
  enum class As { anybody, member };
  [[nodiscard]] int check(As as);
  // Who belongs to it now; looked up again only when that has changed.
  [[nodiscard]] const Membership& members();
  [[nodiscard]] int instance();

  int join();
  int leave();
  int barrier(int count);
  int freeze(int size);

  // A collective operation of all members begins.
  struct Operation {
    tutti_group group{0};
    const Membership* members = nullptr;
    const Placement* placement = nullptr;
    int rank = 0;
    std::uint32_t number = 0;
    HostSet whole_hosts;  // of several tasks, which are all members; none where the machine has one
                          // host
    Group* owner = nullptr;
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
  Membership now_;  // as of the last look
  int tid_;
  bool member_ = false;
  std::uint32_t joined_ = 0;  // the epoch
  std::uint32_t next_ = 0;    // operation
  std::uint32_t deaths_ = 0;  // that this task knows of: each is an error of one barrier
  Membership pinned_;         // of `engine_`
  Placement placement_;       // likewise
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
  Group& at(std::string_view name);
  void leave_all();

 private:
  std::map<std::string, std::unique_ptr<Group>, std::less<>> all_;
};

[[nodiscard]] Groups& groups();

}  // namespace tutti::pvm
