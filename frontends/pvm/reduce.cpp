// SPDX-License-Identifier: BSD-3-Clause
// pvm_reduce. It combines with one of PVM's four functions, for which the runtime may have a
// kernel, or with any other function as an operator of the runtime. Members send to the root, which
// combines; members on several hosts send to the coordinators of their hosts. If all tasks of a
// host take part and there is a kernel, the host combines natively: by a plan that the runtime
// chooses for these tasks (paper 002, figure 5). Where results must be reproducible, the runtime
// chooses for all members, because a root that combines what others send begins with its own
// vector.
#include <tutti-pvm/pvm3.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "errors.hpp"
#include "operations.hpp"
#include "plans.hpp"

using namespace tutti::pvm;

namespace {

// A function in the form that PVM defines: x = x op y. `info` starts as PvmOk and is passed from
// call to call, so a function need not set it.
struct UserFunction {
  ReduceFunction function;
  int type, count;
  int info = PvmOk;
};

void apply(void* x, void* y, std::int64_t, void* user) {
  auto& with = *static_cast<UserFunction*>(user);
  with.function(&with.type, x, y, &with.count, &with.info);
}

// The vector that every member gives, its operator, and the rank that gets the result.
struct Reduction {
  tutti_data vector;
  tutti_op op;
  int root;
};

std::vector<int> ones(std::size_t count) {
  return std::vector<int>(count, 1);
}

int index_of(const std::vector<int>& ranks, int rank) {
  return static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

// Combines the vectors of a group at `root`: natively by a plan that the runtime chooses, or by
// sending to the root, which combines its own vector first.
enum class Combining { natively, at_root };

tutti_status combine_in(tutti_group group, const Reduction& what, int root, Combining combining) {
  const tutti_data* const output = tutti_rank(group) == root ? &what.vector : nullptr;
  const auto size = static_cast<std::size_t>(tutti_size(group));
  const bool natively = combining == Combining::natively;
  return run({group, TUTTI_OP_REDUCE, natively ? nullptr : "coordinators", root,
              natively ? std::vector<int>() : ones(size), &what.vector, output, what.op});
}

// The ranks of one host that combine before the heads of all hosts do. The root of the operation is
// among them only as their head, because it combines what the heads send anyway.
struct HostPart {
  bool whole = false;
  int head = 0;  // the rank that gets what the host has combined
  std::vector<int> ranks;
};

std::vector<HostPart> parts_of(const PvmGroup::Operation& operation, int root) {
  std::vector<HostPart> parts;
  int first = 0;
  for (const int size : operation.placement->hosts) {
    HostPart part;
    part.whole = operation.whole_hosts.has(
        tutti_pvm_host(operation.placement->tids[static_cast<std::size_t>(first)]));
    const bool with_root = root >= first && root < first + size;
    part.head = part.whole && with_root ? root : first;
    for (int rank = first; rank < first + size; ++rank) {
      if (rank != root || rank == part.head) part.ranks.push_back(rank);
    }
    parts.push_back(std::move(part));
    first += size;
  }
  return parts;
}

bool must_be_reproducible() {
  static const bool asked = tutti_setting("TUTTI_REPRODUCIBLE") == 1;
  return asked;
}

enum Purpose { within_host = 1, between_hosts = 2 };

// Combines within each host, and then from the heads of the hosts to the root.
tutti_status by_hosts(const PvmGroup::Operation& operation, const Reduction& what) {
  std::vector<int> heads;
  tutti_group group{0};
  for (const HostPart& part : parts_of(operation, what.root)) {
    heads.push_back(part.head);
    const bool mine = index_of(part.ranks, operation.rank) < static_cast<int>(part.ranks.size());
    if (!mine || part.ranks.size() == 1) continue;
    tutti_status status = operation.owner->part(within_host, part.ranks, group);
    if (status == TUTTI_OK)
      status = combine_in(group, what, index_of(part.ranks, part.head),
                          part.whole ? Combining::natively : Combining::at_root);
    if (status != TUTTI_OK) return status;
  }
  const auto place = std::lower_bound(heads.begin(), heads.end(), what.root);
  if (place == heads.end() || *place != what.root) heads.insert(place, what.root);
  const bool mine = index_of(heads, operation.rank) < static_cast<int>(heads.size());
  if (!mine || heads.size() == 1) return TUTTI_OK;
  const tutti_status status = operation.owner->part(between_hosts, heads, group);
  return status == TUTTI_OK
             ? combine_in(group, what, index_of(heads, what.root), Combining::at_root)
             : status;
}

// A function of the user's sees whole vectors, so that blocks of them cannot be combined.
enum class Reducer { kernel, user_function };

tutti_status in_one_plan(const PvmGroup::Operation& operation, const Reduction& what,
                         Reducer reducer) {
  if (must_be_reproducible())
    return combine_in(operation.group, what, what.root, Combining::natively);
  PlanStep step = fan(operation, TUTTI_OP_REDUCE, what.root);
  if (step.hosts.empty() && reducer == Reducer::user_function)
    return combine_in(operation.group, what, what.root, Combining::at_root);
  step.input = &what.vector;
  step.output = operation.rank == what.root ? &what.vector : nullptr;
  step.op = what.op;
  return run(step);
}

int reduce_by_kernel(const PvmGroup::Operation& operation, const Reduction& what) {
  return carry_out(operation, [&] {
    return operation.whole_hosts.empty() || operation.placement->hosts.empty() ||
                   must_be_reproducible()
               ? in_one_plan(operation, what, Reducer::kernel)
               : by_hosts(operation, what);
  });
}

int reduce_by_function(const PvmGroup::Operation& operation, UserFunction& with,
                       const tutti_data& vector, int root) {
  const int status = carry_out(operation, [&] {
    tutti_op op{0};
    const tutti_status made = tutti_op_create_in_place(vector.type, apply, 1, &with, &op);
    if (made != TUTTI_OK) return made;
    const tutti_status done = in_one_plan(operation, {vector, op, root}, Reducer::user_function);
    // Failure is harmless: it fails only for a handle that is none.
    static_cast<void>(tutti_op_free(op));
    return done;
  });
  return status == PvmOk ? with.info : status;
}

int reduce(ReduceFunction function, const GroupCall& given, void* data) {
  PvmGroup::Operation operation;
  int root = 0;
  if (function == nullptr || data == nullptr || given.count < 1) return PvmBadParam;
  if (const int status = begin(given, Instances::any, operation, root); status != PvmOk)
    return status;
  if (const std::optional<NativeOperator> native = native_operator(function, given.type)) {
    return reduce_by_kernel(operation,
                            {tutti_array(data, given.count, native->type), native->op, root});
  }
  UserFunction with{function, given.type, given.count};
  return reduce_by_function(operation, with, tutti_array(data, bytes_of(given), TUTTI_BYTE), root);
}

}  // namespace

extern "C" {

int pvm_reduce(ReduceFunction function, void* data, int count, int type, int tag, char* group,
               int root) {
  return call("pvm_reduce", [&] {
    return reduce(function, {group, count, type, tag, root}, data);
  });
}

}  // extern "C"
