// SPDX-License-Identifier: BSD-3-Clause
// pvm_scatter and pvm_gather. Each is a plan of the runtime in which every member exchanges
// messages only with the root, so a task that dies stops nobody except those that need its data.
// Members on several hosts use the coordinators of their hosts, and only these exchange with the
// root.
#include <tutti-pvm/pvm3.h>

#include <vector>

#include "errors.hpp"
#include "plans.hpp"

using namespace tutti::pvm;

namespace {

int run_fan(const PvmGroup::Operation& members, tutti_operation what, int root,
            const tutti_data* input, const tutti_data* output) {
  PlanStep step = fan(members, what, root);
  step.input = input;
  step.output = output;
  return carry_out(members, [&] { return run(step); });
}

// Brings the parts of the members to `result` at the root, in the order of instances.
int gather(const PvmGroup::Operation& members, int root, void* data, void* result,
           std::int64_t bytes) {
  const bool at_root = members.rank == root;
  const bool sort = at_root && !members.placement->in_order();
  std::vector<std::byte> by_rank(sort ? static_cast<std::size_t>(bytes * members.members->size)
                                      : 0);
  const tutti_data input = tutti_array(data, bytes, TUTTI_BYTE);
  const tutti_data output =
      tutti_array(sort ? by_rank.data() : result, bytes * members.members->size, TUTTI_BYTE);
  const int status = run_fan(members, TUTTI_OP_GATHER, root, &input, at_root ? &output : nullptr);
  if (status == PvmOk && sort) {
    members.placement->to_instances(static_cast<std::byte*>(result), by_rank.data(),
                                    static_cast<std::size_t>(bytes));
  }
  return status;
}

// Sends the parts of `data` at the root, in the order of instances, to the members.
int scatter(const PvmGroup::Operation& members, int root, void* data, void* result,
            std::int64_t bytes) {
  const bool at_root = members.rank == root;
  const bool sort = at_root && !members.placement->in_order();
  std::vector<std::byte> by_rank(sort ? static_cast<std::size_t>(bytes * members.members->size)
                                      : 0);
  if (sort) {
    members.placement->to_ranks(by_rank.data(), static_cast<std::byte*>(data),
                                static_cast<std::size_t>(bytes));
  }
  const tutti_data input =
      tutti_array(sort ? by_rank.data() : data, bytes * members.members->size, TUTTI_BYTE);
  const tutti_data output = tutti_array(result, bytes, TUTTI_BYTE);
  return run_fan(members, TUTTI_OP_SCATTER, root, at_root ? &input : nullptr, &output);
}

}  // namespace

extern "C" {

int pvm_scatter(void* result, void* data, int count, int type, int tag, char* group, int root) {
  return call("pvm_scatter", [&] {
    PvmGroup::Operation operation;
    const GroupCall given{group, count, type, tag, root};
    int root_rank = 0;
    if (const int status = begin(given, Instances::without_gaps, operation, root_rank);
        status != PvmOk)
      return status;
    return scatter(operation, root_rank, data, result, bytes_of(given));
  });
}

int pvm_gather(void* result, void* data, int count, int type, int tag, char* group, int root) {
  return call("pvm_gather", [&] {
    PvmGroup::Operation operation;
    const GroupCall given{group, count, type, tag, root};
    int root_rank = 0;
    if (const int status = begin(given, Instances::without_gaps, operation, root_rank);
        status != PvmOk)
      return status;
    return gather(operation, root_rank, data, result, bytes_of(given));
  });
}

}  // extern "C"
