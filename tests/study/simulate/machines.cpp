// SPDX-License-Identifier: BSD-3-Clause
// Builds the machines and jobs of machines.hpp.
#include "machines.hpp"

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "base/error.hpp"

namespace tutti::simulate {

using machine::Machine;

machine::Machine ipsc(int dimensions, double hop) {
  Machine machine;
  machine.name = "ipsc";
  machine.network.topology = machine::parse_topology(fmt::format("hypercube:{}", dimensions));
  machine.network.hop = hop;
  machine.network.link_beta = machine.node.beta = machine.node.send_beta = 0.394;
  machine.network.held = machine.node.alpha = machine.node.send_alpha = 95;
  machine.node.ports = machine::Ports::unlimited;
  machine.synchronisation.barrier_dimension = 150;
  machine.synchronisation.pair = 82.5;
  machine.synchronisation.pair_hop = 10.3;
  return machine;
}

machine::Machine unit_steps(const std::string& topology, machine::Ports ports) {
  Machine machine;
  machine.name = "unit steps";
  machine.network.topology = machine::parse_topology(topology);
  machine.network.held = machine.node.alpha = machine.node.send_alpha = machine.node.receive_alpha =
      1;
  machine.node.ports = ports;
  return machine;
}

machine::Machine plain(int nodes, double alpha, double beta, double gamma) {
  Machine machine;
  machine.name = "plain";
  machine.network.topology = machine::parse_topology(fmt::format("crossbar:{}", nodes));
  machine.network.switching = machine::Switching::share_equal;
  machine.node.alpha = machine.node.send_alpha = machine.node.receive_alpha = alpha;
  machine.node.beta = machine.node.send_beta = machine.node.receive_beta = beta;
  machine.node.gamma = gamma;
  return machine;
}

JobOperation operation(schedule::Operation what, const char* algorithm, schedule::Shape shape,
                       std::int64_t bytes) {
  JobOperation operation;
  operation.generator = algorithms::find(what, algorithm);
  if (operation.generator == nullptr) base::fail(base::Status::no_such_plan, "{}", algorithm);
  operation.shape = shape;
  operation.bytes = bytes;
  return operation;
}

}  // namespace tutti::simulate
