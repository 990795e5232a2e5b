// SPDX-License-Identifier: BSD-3-Clause
// Calls the function of the library for a prepared call, in one of its three forms.
#include "core.h"

// Expands to the call of tutti_<name>, tutti_i<name> or tutti_<name>_init.
#define IN_ITS_WAY(name, ...)                                        \
  (call->way == CORE_NOW       ? tutti_##name(__VA_ARGS__)           \
   : call->way == CORE_STARTED ? tutti_i##name(__VA_ARGS__, request) \
                               : tutti_##name##_init(__VA_ARGS__, request))

static tutti_status run_moving(const core_call* call, const tutti_data* input,
                               const tutti_data* output, tutti_request* request) {
  const tutti_group group = call->group;
  const int64_t *mine = call->input_counts, *theirs = call->output_counts;
  switch (call->operation) {
    case CORE_BARRIER:
      return IN_ITS_WAY(barrier, group);
    case CORE_BCAST:
      return IN_ITS_WAY(bcast, group, output, call->root);
    case CORE_GATHER:
      if (call->counted) return IN_ITS_WAY(gatherv, group, input, output, theirs, call->root);
      return IN_ITS_WAY(gather, group, input, output, call->root);
    case CORE_SCATTER:
      if (call->counted) return IN_ITS_WAY(scatterv, group, input, output, mine, call->root);
      return IN_ITS_WAY(scatter, group, input, output, call->root);
    case CORE_ALLGATHER:
      if (call->counted) return IN_ITS_WAY(allgatherv, group, input, output, theirs);
      return IN_ITS_WAY(allgather, group, input, output);
    default:
      if (call->counted) return IN_ITS_WAY(alltoallv, group, input, output, mine, theirs);
      return IN_ITS_WAY(alltoall, group, input, output);
  }
}

tutti_status core_run(const core_call* call, tutti_request* request) {
  const tutti_group group = call->group;
  const tutti_data* input = call->input.kind != CORE_NOTHING ? &call->input.data : NULL;
  const tutti_data* output = call->output.kind != CORE_NOTHING ? &call->output.data : NULL;
  switch (call->operation) {
    case CORE_REDUCE:
      return IN_ITS_WAY(reduce, group, input, output, call->op, call->root);
    case CORE_ALLREDUCE:
      return IN_ITS_WAY(allreduce, group, input, output, call->op);
    case CORE_SCAN:
      return IN_ITS_WAY(scan, group, input, output, call->op);
    case CORE_EXSCAN:
      return IN_ITS_WAY(exscan, group, input, output, call->op);
    case CORE_REDUCE_SCATTER:
      if (call->counted)
        return IN_ITS_WAY(reduce_scatterv, group, input, output, call->input_counts, call->op);
      return IN_ITS_WAY(reduce_scatter, group, input, output, call->op);
    default:
      return run_moving(call, input, output, request);
  }
}
