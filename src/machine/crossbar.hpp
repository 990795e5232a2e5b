// SPDX-License-Identifier: BSD-3-Clause
// One switch between all nodes: messages meet only on the way into it, from one source, or out of
// it, to one destination.
#pragma once

#include "machine/topology.hpp"

namespace tutti::machine {

// Port 0 of a node leads to the switch, port 1 comes from it.
class Crossbar : public Topology {
 public:
  explicit Crossbar(int nodes) : Topology({nodes, 2, nodes, nodes + 1}) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<int> extents() const override { return {nodes()}; }
  [[nodiscard]] bool has(Link) const override { return true; }
  [[nodiscard]] Ends ends(Link link) const override {
    return link.port == 0 ? Ends{link.node, nodes()} : Ends{nodes(), link.node};
  }
  void route_into(int from, int to, Route& out) const override;
  // The switch is "*".
  [[nodiscard]] std::string label(int vertex) const override;
};

}  // namespace tutti::machine
