// SPDX-License-Identifier: BSD-3-Clause
// The fixed rule, measured on one machine with shared memory (decision 0027). Every rank can
// read what a sender has copied in once, so flat shapes win until the root's own work dominates.
// Where ranks share processors, a further round costs further switches between processes. The model
// has one port and one processor per rank and knows neither.
#include "selection/heuristic.hpp"

namespace tutti::selection {
namespace {

using schedule::Operation;

constexpr int flat_ranks = 16;  // beyond, the root of a flat shape becomes the bottleneck
constexpr int few_ranks = 4;    // up to here, one round of direct messages is fastest
constexpr std::int64_t short_bytes = 8 * 1024;
constexpr std::int64_t medium_bytes = 32 * 1024;
constexpr std::int64_t long_bytes =
    1024 * 1024;  // beyond, two ranks had better not do the same work twice

Heuristic barrier(int p, bool oversubscribed) {
  if (p <= few_ranks)
    return {"direct", "one round; a flag that is written once is read by everybody"};
  if (oversubscribed)
    return {"fully_connected",
            "each rank waits once; further rounds cost switches between processes"};
  return {"dissemination", "ceil(log2 p) rounds for any p"};
}

Heuristic broadcast(int p) {
  if (p <= flat_ranks) return {"fully_connected", "one copy in, all ranks read it at once"};
  return {"mst", "ceil(log2 p) rounds; a flat shape would load the root with p-1 messages"};
}

Heuristic reduce(int p, std::int64_t bytes, bool oversubscribed) {
  if (p <= few_ranks || (p <= flat_ranks && (oversubscribed || bytes <= short_bytes))) {
    return {"fully_connected", "one round, no copy of intermediate results"};
  }
  return {"mst", "ceil(log2 p) rounds, combines spread over the ranks"};
}

Heuristic allreduce(int p, std::int64_t bytes, bool oversubscribed) {
  if (p <= flat_ranks && bytes <= 512 && (p <= few_ranks || !oversubscribed))
    return {"direct", "one round, every rank folds all operands"};
  if (p == 2 && bytes <= long_bytes) return {"bidirectional_exchange", "one round of one exchange"};
  if (p <= few_ranks && bytes <= short_bytes)
    return {"direct", "one round, every rank folds all operands"};
  if (p <= flat_ranks && oversubscribed && bytes <= medium_bytes)
    return {"fully_connected",
            "each rank waits once; further rounds cost switches between processes"};
  if (bytes <= short_bytes) return {"bidirectional_exchange", "ceil(log2 p) rounds"};
  if (p <= flat_ranks)
    return {"direct_long", "two rounds; every rank folds its part of all vectors in shared memory"};
  return {"mst", "half the traffic of the exchange for long vectors"};
}

Heuristic blocks(int p) {
  if (p <= flat_ranks)
    return {"fully_connected", "one round, each block is copied in once and out once"};
  return {"mst", "ceil(log2 p) rounds"};
}

Heuristic alltoall(int p, std::int64_t block_bytes) {
  if (p > flat_ranks) return {};
  if (p == 2) return {"circle", "one round of one exchange"};
  if (block_bytes >= medium_bytes)
    return {"circle", "pairs exchange long blocks while they are in the caches"};
  return {"direct", "one round; what is copied in once, all ranks read at once"};
}

Heuristic scan(int p, bool oversubscribed) {
  if (p <= flat_ranks && oversubscribed)
    return {"linear", "least traffic; ranks that share processors would not work at once"};
  return {"doubling", "ceil(log2 p) rounds, any operator"};
}

}  // namespace

Heuristic heuristic(Operation operation, int p, std::int64_t bytes, int processors) {
  const bool oversubscribed = p > processors;
  switch (operation) {
    case Operation::barrier:
      return barrier(p, oversubscribed);
    case Operation::broadcast:
      return broadcast(p);
    case Operation::reduce:
      return reduce(p, bytes, oversubscribed);
    case Operation::allreduce:
      return allreduce(p, bytes, oversubscribed);
    case Operation::scatter:
    case Operation::gather:
      return blocks(p);
    case Operation::alltoall:
      return alltoall(p, bytes / p);
    case Operation::allgather:
    case Operation::reduce_scatter:
      if (p <= flat_ranks)
        return {"direct", "one round; what is copied in once, all ranks read at once"};
      return {};
    case Operation::scan:
    case Operation::exscan:
      return scan(p, oversubscribed);
  }
  return {};
}

}  // namespace tutti::selection
