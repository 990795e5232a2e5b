// SPDX-License-Identifier: BSD-3-Clause
// One medium that all nodes share: a cable, a ring of tokens, the memory of one computer. A message
// goes onto it, along it, and off it, so that any two messages meet.
#pragma once

#include "machine/topology.hpp"

namespace tutti::machine {

// Port 0 of a node leads onto the medium, port 1 comes from it. The medium is two switches, where
// messages come in and where they go out, and port 0 of the first leads to the second.
class Bus : public Topology {
 public:
  explicit Bus(int nodes) : Topology({nodes, 2, nodes + 1, nodes + 2}) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<int> extents() const override { return {nodes()}; }
  [[nodiscard]] bool has(Link link) const override { return link.node < nodes() || link.port == 0; }
  [[nodiscard]] Ends ends(Link link) const override;
  void route_into(int from, int to, Route& out) const override;
  // The medium is "[" and "]".
  [[nodiscard]] std::string label(int vertex) const override;
};

}  // namespace tutti::machine
