// SPDX-License-Identifier: BSD-3-Clause
// One switch between all nodes: messages meet only on the way into it, from one source, or out of it, to one
// destination.
#pragma once

#include "machine/topology.hpp"

namespace tutti::machine {

// Port 0 of a node leads to the switch, port 1 comes from it.
class Crossbar : public Topology {
 public:
  explicit Crossbar(int nodes) : nodes_(nodes) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<int> extents() const override { return {nodes_}; }
  [[nodiscard]] int ports() const override { return 2; }
  [[nodiscard]] bool has(Link) const override { return true; }
  [[nodiscard]] Ends ends(Link link) const override {
    return link.port == 0 ? Ends{link.node, nodes_} : Ends{nodes_, link.node};
  }
  [[nodiscard]] Route route(int from, int to) const override {
    return from == to ? Route{} : Route{{from, 0}, {to, 1}};
  }
  // The switch is "*".
  [[nodiscard]] std::string label(int vertex) const override;

 private:
  int nodes_;
};

}  // namespace tutti::machine
