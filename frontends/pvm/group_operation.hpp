// SPDX-License-Identifier: BSD-3-Clause
// One collective operation of a group as one member carries it out: the members that take part, the
// plans, the data, and the predicate that its waits ask. Scatter, gather and reduce are such
// operations. If one member cannot do its part, because a task that it needs has ended, it marks
// the operation as failed. The runs of the others ask for the mark while they wait, so an error at
// a coordinator keeps nobody waiting.
#pragma once

#include <tutti/tutti_runtime.h>

#include <cstdint>
#include <vector>

#include "core.hpp"
#include "group.hpp"

namespace tutti::pvm {

// The arguments that scatter, gather and reduce have in common.
struct GroupCall {
  const char* group;
  int count, type, tag, root;

  [[nodiscard]] std::int64_t bytes() const { return std::int64_t{count} * bytes_of(type); }
};

class GroupOperation {
 public:
  // Checks the arguments and begins the next operation of the group. The root must be a member;
  // scatter and gather require every instance number up to the highest.
  GroupOperation(tutti_operation what, const GroupCall& given);
  GroupOperation(const GroupOperation&) = delete;
  GroupOperation& operator=(const GroupOperation&) = delete;

  // PvmOk, or why there is no operation. Then only run() may be called, which returns that.
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] bool at_root() const { return members_.rank == root_; }
  [[nodiscard]] int size() const { return members_.instances->size; }
  [[nodiscard]] const GroupPlacement& placement() const { return *members_.placement; }

  // The data of this member. The root alone uses the input of a scatter and the output of a gather
  // or reduction. A reduction has an operator: a kernel of the runtime, or a function of the
  // program, which sees whole vectors.
  struct Operands {
    const tutti_data* input = nullptr;
    const tutti_data* output = nullptr;
    tutti_op op{0};
    enum class By { kernel, function } by = By::kernel;
  };
  // Does this member's part. Returns PvmOk, or an error, with which the operation has failed for
  // all members.
  int run(const Operands& operands);
  // Ends the operation with a status: an error makes it fail for all members.
  int end(tutti_status status);

 private:
  // The plans that a group of the runtime may use. In `by_hosts`, each member exchanges messages
  // directly with the root or, on several hosts, with the coordinator of its host. In `at_root`,
  // members send their vectors to the root, which combines its own first. In `natively`, the
  // runtime chooses for a kernel, and a function combines along a tree that does not cut its
  // vectors.
  enum class Plan { by_hosts, at_root, natively };
  // The ranks of one host that combine before the heads of all hosts do.
  struct HostPart {
    bool whole = false;
    int head = 0;  // the rank that gets what the host has combined
    std::vector<int> ranks;
  };

  int begin(const GroupCall& given);
  [[nodiscard]] Plan plan() const;
  [[nodiscard]] bool hosts_combine() const;
  [[nodiscard]] std::vector<HostPart> host_parts() const;
  tutti_status combine_in_hosts();
  tutti_status run_part(int purpose, const std::vector<int>& ranks, int root, Plan how);
  tutti_status run_plan(tutti_group group, int root, Plan how);
  // The predicate of every run: returns 1 if a member has marked the operation as failed.
  static int has_failed(void* operation);

  tutti_operation what_;
  std::int64_t bytes_;
  PvmGroup* group_ = nullptr;
  PvmGroup::Participants members_;
  int root_ = 0;  // a rank
  int status_;
  Operands operands_{};
};

}  // namespace tutti::pvm
