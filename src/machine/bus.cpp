// SPDX-License-Identifier: BSD-3-Clause
// Implements names and routes of the bus.
#include "machine/bus.hpp"

#include <fmt/format.h>

namespace tutti::machine {

std::string Bus::name() const {
  return fmt::format("bus:{}", nodes());
}

Ends Bus::ends(Link link) const {
  if (link.node == nodes()) return {nodes(), nodes() + 1};
  return link.port == 0 ? Ends{link.node, nodes()} : Ends{nodes() + 1, link.node};
}

void Bus::route_into(int from, int to, Route& out) const {
  out.clear();
  if (from == to) return;
  out.push_back({from, 0});
  out.push_back({nodes(), 0});
  out.push_back({to, 1});
}

std::string Bus::label(int vertex) const {
  if (vertex < nodes()) return Topology::label(vertex);
  return vertex == nodes() ? "[" : "]";
}

}  // namespace tutti::machine
