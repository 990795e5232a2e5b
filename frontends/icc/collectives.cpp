// SPDX-License-Identifier: BSD-3-Clause
// Calls tutti's collectives and plans (collectives.hpp).
#include "collectives.hpp"

namespace tutti::icc {

tutti_status run_plan(const Communicator& communicator, const Collective& call,
                      const char* algorithm) {
  tutti_plan_request request{};
  request.struct_size = sizeof request;
  request.operation = call.operation;
  request.algorithm = algorithm;
  request.root = call.root;
  request.bytes = call.bytes;
  request.rows = communicator.rectangle.rows;
  tutti_plan plan{0};
  const tutti_status status = tutti_plan_get(communicator.group, &request, &plan);
  if (status != TUTTI_OK) return status;
  tutti_run with{};
  with.struct_size = sizeof with;
  with.input = call.input;
  with.output = call.output;
  with.op = call.op;
  with.counts = call.counts;
  return tutti_plan_run(plan, &with);
}

tutti_status run(const Communicator& communicator, const Collective& call) {
  if (communicator.forced) return run_plan(communicator, call, state().algorithm.c_str());
  const tutti_group group = communicator.group;
  switch (call.operation) {
    case TUTTI_OP_BROADCAST:
      return tutti_bcast(group, call.output, call.root);
    case TUTTI_OP_REDUCE:
      return tutti_reduce(group, call.input, call.output, call.op, call.root);
    case TUTTI_OP_ALLREDUCE:
      return tutti_allreduce(group, call.input, call.output, call.op);
    case TUTTI_OP_ALLGATHER:
      return tutti_allgatherv(group, call.input, call.output, call.counts);
    case TUTTI_OP_REDUCE_SCATTER:
      return tutti_reduce_scatterv(group, call.input, call.output, call.counts, call.op);
    default:
      // tutti_scatterv and tutti_gatherv take it that only the root knows the counts, and then few
      // algorithms can serve. A plan can be told that all ranks know them.
      return run_plan(communicator, call, nullptr);
  }
}

}  // namespace tutti::icc
