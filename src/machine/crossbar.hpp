// SPDX-License-Identifier: BSD-3-Clause
// One switch between all nodes. Two messages meet only if they have the same source, on the way
// into the switch, or the same destination, on the way out.
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
  // The label of the switch is "*".
  [[nodiscard]] std::string label(int vertex) const override;
};

}  // namespace tutti::machine
