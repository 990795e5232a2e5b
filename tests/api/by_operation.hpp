// SPDX-License-Identifier: BSD-3-Clause
// Maps the number of an operation to its calls in C: blocking, non-blocking and persistent; for
// even parts or counts.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>

namespace tutti::test {

struct CallArguments {
  const tutti_data *in = nullptr, *out = nullptr;
  int root = 0;
  tutti_op op{0};
  bool by_counts = false;
  const std::int64_t *counts = nullptr, *to = nullptr,
                     *from = nullptr;  // of all parts; of a complete exchange
};

// `by` gets the three functions of the operation and the arguments between the group and the
// request.
template <class By>
tutti_status call_by_operation(tutti_operation operation, const CallArguments& of, const By& by) {
#define TUTTI_WAYS(name) tutti_##name, tutti_i##name, tutti_##name##_init
  switch (operation) {
    case TUTTI_OP_BARRIER:
      return by(TUTTI_WAYS(barrier));
    case TUTTI_OP_BROADCAST:
      return by(TUTTI_WAYS(bcast), of.out, of.root);
    case TUTTI_OP_REDUCE:
      return by(TUTTI_WAYS(reduce), of.in, of.out, of.op, of.root);
    case TUTTI_OP_ALLREDUCE:
      return by(TUTTI_WAYS(allreduce), of.in, of.out, of.op);
    case TUTTI_OP_SCATTER:
      if (of.by_counts) return by(TUTTI_WAYS(scatterv), of.in, of.out, of.counts, of.root);
      return by(TUTTI_WAYS(scatter), of.in, of.out, of.root);
    case TUTTI_OP_GATHER:
      if (of.by_counts) return by(TUTTI_WAYS(gatherv), of.in, of.out, of.counts, of.root);
      return by(TUTTI_WAYS(gather), of.in, of.out, of.root);
    case TUTTI_OP_ALLGATHER:
      if (of.by_counts) return by(TUTTI_WAYS(allgatherv), of.in, of.out, of.counts);
      return by(TUTTI_WAYS(allgather), of.in, of.out);
    case TUTTI_OP_REDUCE_SCATTER:
      if (of.by_counts) return by(TUTTI_WAYS(reduce_scatterv), of.in, of.out, of.counts, of.op);
      return by(TUTTI_WAYS(reduce_scatter), of.in, of.out, of.op);
    case TUTTI_OP_ALLTOALL:
      if (of.by_counts) return by(TUTTI_WAYS(alltoallv), of.in, of.out, of.to, of.from);
      return by(TUTTI_WAYS(alltoall), of.in, of.out);
    case TUTTI_OP_SCAN:
      return by(TUTTI_WAYS(scan), of.in, of.out, of.op);
    default:
      return by(TUTTI_WAYS(exscan), of.in, of.out, of.op);
  }
#undef TUTTI_WAYS
}

}  // namespace tutti::test
