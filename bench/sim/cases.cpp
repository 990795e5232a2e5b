// SPDX-License-Identifier: BSD-3-Clause
// The cases of the simulator bench: those that SMPI runs too (one link of 1 GB/s and 1 us between
// neighbours of a torus), and those that show the simulator's limits.
#include "cases.hpp"

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "selection/names.hpp"
#include "simulate/simulate.hpp"

namespace tutti::bench {

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"alltoall_512_circuit", "alltoall", "pairwise", "torus:8x8x8", "circuit", 512 * 1024},
      {"alltoall_512_share", "alltoall", "pairwise", "torus:8x8x8", "share_equal", 512 * 1024},
      {"alltoall_512_max_min", "alltoall", "pairwise", "torus:8x8x8", "share_max_min", 512 * 1024},
      {"allgather_512_circuit", "allgather", "ring", "torus:8x8x8", "circuit", 512 * 1024},
      {"allgather_512_share", "allgather", "ring", "torus:8x8x8", "share_equal", 512 * 1024},
      {"allgather_512_max_min", "allgather", "ring", "torus:8x8x8", "share_max_min", 512 * 1024},
      {"bcast_2048_circuit", "bcast", "hypercube", "torus:16x16x8", "circuit", 1 << 20},
      {"bcast_2048_share", "bcast", "hypercube", "torus:16x16x8", "share_equal", 1 << 20},
      {"bcast_2048_max_min", "bcast", "hypercube", "torus:16x16x8", "share_max_min", 1 << 20},
      {"linear_1024_circuit", "alltoall", "linear", "hypercube:10", "circuit", 1024 * 1024},
      {"pairwise_1024_circuit", "alltoall", "pairwise", "hypercube:10", "circuit", 1024 * 1024},
      {"naive_1024_circuit", "alltoall", "naive", "hypercube:10", "circuit", 1024 * 1024},
      {"linear_512_share", "alltoall", "linear", "mesh:16x32", "share_equal", 512 * 1024},
      {"bcast_131072", "bcast", "mst", "hypercube:17", "circuit", 1024},
      {"allreduce_131072", "allreduce", "recursive_doubling", "hypercube:17", "circuit", 1024},
      {"barrier_131072", "barrier", "dissemination", "hypercube:17", "circuit", 0},
      {"bucket_65536", "allgather", "ring", "mesh:256x256", "circuit", 65536 * 8},
  };
  return all;
}

machine::Machine machine_of(const Case& one) {
  machine::Machine machine;
  machine.name = one.name;
  machine.network.topology = machine::parse_topology(one.topology);
  using machine::Switching;
  machine.network.switching = one.switching == "circuit"       ? Switching::circuit
                              : one.switching == "share_equal" ? Switching::share_equal
                                                               : Switching::share_max_min;
  const bool cube = one.topology.rfind("hypercube", 0) == 0;
  machine.node.alpha = machine.node.send_alpha = machine.network.held = cube ? 95 : 1;
  machine.node.beta = machine.network.link_beta = machine.node.send_beta = cube ? 0.394 : 0.001;
  machine.network.hop = cube ? 10.3 : 1;
  machine.node.ports = machine::Ports::unlimited;
  return machine;
}

namespace {

simulate::JobOperation operation_of(const Case& one, int p, std::int64_t bytes) {
  simulate::JobOperation operation;
  operation.generator = algorithms::find(selection::operation_named(one.operation), one.algorithm);
  if (operation.generator == nullptr)
    base::fail(base::Status::no_such_plan, "no {} {}", one.operation, one.algorithm);
  operation.shape.p = p;
  operation.bytes = bytes;
  // Receives are posted as the programs of the papers post them. SMPI's algorithms wait for the
  // message of each step.
  const bool ahead = one.operation == "alltoall" && one.topology.rfind("torus", 0) != 0;
  operation.posting = ahead ? simulate::Posting::ahead : simulate::Posting::by_round;
  return operation;
}

// Builds the two-dimensional bucket of paper 001: all rows at once, and then all columns with the
// results of the rows.
simulate::SimulatedJob bucket(const Case& one, int extent) {
  simulate::Operations rows, columns;
  for (int i = 0; i < extent; ++i) {
    rows.all.push_back(operation_of(one, extent, one.bytes / extent));
    columns.all.push_back(operation_of(one, extent, one.bytes));
    for (int j = 0; j < extent; ++j) {
      rows.all.back().nodes.push_back(i * extent + j);
      columns.all.back().nodes.push_back(j * extent + i);
    }
  }
  return {.nodes = extent * extent, .phases = {rows, columns}};
}

}  // namespace

simulate::SimulatedJob job_of(const Case& one) {
  const machine::Machine machine = machine_of(one);
  const std::vector<int> extents = machine.network.topology->extents();
  if (one.name == "bucket_65536") return bucket(one, extents[0]);
  return simulate::job_of(operation_of(one, machine.network.topology->nodes(), one.bytes));
}

}  // namespace tutti::bench
