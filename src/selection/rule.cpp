// SPDX-License-Identifier: BSD-3-Clause
// The fixed rule of the first version, made for one machine with shared memory: what a sender has copied in once can be
// read by everybody, so flat shapes win until the root's own work dominates. The model has one port per rank and does
// not know this.
#include "selection/rule.hpp"

namespace tutti::selection {
namespace {

using schedule::Operation;

constexpr int flat_ranks = 16;  // beyond, the root of a flat shape becomes the bottleneck
constexpr std::int64_t short_bytes = 8 * 1024;

Advice broadcast(int p) {
  if (p <= flat_ranks) return {"fully_connected", "one copy in, all ranks read it at once"};
  return {"mst", "ceil(log2 p) rounds; a flat shape would load the root with p-1 messages"};
}

Advice reduce(int p, std::int64_t bytes) {
  if (p <= 4 || (p <= flat_ranks && bytes <= short_bytes)) {
    return {"fully_connected", "one round, no copy of intermediate results"};
  }
  return {"mst", "ceil(log2 p) rounds, combines spread over the ranks"};
}

Advice allreduce(int p, std::int64_t bytes) {
  if (p <= flat_ranks && bytes <= 512) return {"direct", "one round, every rank folds all operands"};
  if (p == 2) return {"bidirectional_exchange", "one round of one exchange"};
  if (bytes <= short_bytes) return {"bidirectional_exchange", "ceil(log2 p) rounds"};
  return {"mst", "half the traffic of the exchange for long vectors"};
}

}  // namespace

Advice rule(Operation operation, int p, std::int64_t bytes) {
  switch (operation) {
    case Operation::barrier:
      return {"dissemination", "ceil(log2 p) rounds for any p"};
    case Operation::broadcast:
      return broadcast(p);
    case Operation::reduce:
      return reduce(p, bytes);
    case Operation::allreduce:
      return allreduce(p, bytes);
    case Operation::scatter:
    case Operation::gather:
      return {"mst", "ceil(log2 p) rounds"};
    case Operation::allgather:
    case Operation::reduce_scatter:
    case Operation::alltoall:
      if (p <= flat_ranks) return {"direct", "one round; what is copied in once, all ranks read at once"};
      return {};
    case Operation::scan:
    case Operation::exscan:
      return {"doubling", "ceil(log2 p) rounds, any operator"};
  }
  return {};
}

}  // namespace tutti::selection
