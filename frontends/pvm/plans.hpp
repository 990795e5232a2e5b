// SPDX-License-Identifier: BSD-3-Clause
// Carries out a collective operation of a group by plans of the runtime. If one member cannot do
// its part, because a task that it needs has ended, it marks the operation as failed. Members that
// wait see the mark and give up, so an error at a coordinator keeps nobody waiting.
#pragma once

#include <tutti-pvm/pvm3.h>
#include <tutti/tutti_runtime.h>

#include <vector>

#include "core.hpp"
#include "group.hpp"

namespace tutti::pvm {

// The arguments that scatter, gather and reduce have in common.
struct GroupCall {
  const char* group;
  int count, type, tag, root;
};

[[nodiscard]] std::int64_t bytes_of(const GroupCall& given);

// The instance numbers that an operation requires: any, or every one up to the highest.
enum class Instances { any, without_gaps };

// Begins an operation and sets `root` to the rank of the root, which must be a member.
int begin(const GroupCall& given, Instances instances, PvmGroup::Operation& operation, int& root);

// One plan of an operation. Without an algorithm the runtime chooses one (reduce only).
struct PlanStep {
  tutti_group group;
  tutti_operation operation;
  const char* algorithm;
  int root;
  std::vector<int> hosts;  // factors of the algorithm
  const tutti_data* input;
  const tutti_data* output;
  tutti_op op{0};
};
[[nodiscard]] tutti_status run(const PlanStep& step);

// Returns the plan of an operation of all members: each exchanges messages directly with the root
// or, on several hosts, with the coordinator of its host.
[[nodiscard]] PlanStep fan(const PvmGroup::Operation& operation, tutti_operation what, int root);

// Runs `body`, which does this member's part and returns a status. Returns PvmOk or an error.
template <class Body>
int carry_out(const PvmGroup::Operation& operation, Body&& body) {
  const auto vain = [](void* asked) {
    const auto* waiting = static_cast<const PvmGroup::Operation*>(asked);
    return waiting->owner->registry().failed(waiting->number) ? 1 : 0;
  };
  tutti_on_wait(vain, const_cast<PvmGroup::Operation*>(&operation));
  const tutti_status status = body();
  tutti_on_wait(nullptr, nullptr);
  if (status != TUTTI_OK) operation.owner->registry().fail(operation.number);
  return tutti_pvm_code(status);
}

}  // namespace tutti::pvm
