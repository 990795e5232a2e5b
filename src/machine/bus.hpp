// SPDX-License-Identifier: BSD-3-Clause
// One medium that all nodes share: a cable, a token ring, the memory of one computer. A message
// goes onto the medium, along it and off it, so any two messages meet.
#pragma once

#include "machine/topology.hpp"

namespace tutti::machine {

// Port 0 of a node leads onto the medium, port 1 comes from it. The medium is two switches:
// messages enter at the first and leave at the second, and port 0 of the first leads to the second.
class Bus : public Topology {
 public:
  explicit Bus(int nodes) : Topology({nodes, 2, nodes + 1, nodes + 2}) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<int> extents() const override { return {nodes()}; }
  [[nodiscard]] bool has(Link link) const override { return link.node < nodes() || link.port == 0; }
  [[nodiscard]] Ends ends(Link link) const override;
  void route_into(int from, int to, Route& out) const override;
  // The labels of the medium's switches are "[" and "]".
  [[nodiscard]] std::string label(int vertex) const override;
};

}  // namespace tutti::machine
