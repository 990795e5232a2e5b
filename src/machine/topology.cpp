// SPDX-License-Identifier: BSD-3-Clause
// Implements functions that all topologies share.
#include "machine/topology.hpp"

#include "base/error.hpp"
#include "machine/number_text.hpp"

namespace tutti::machine {

Route Topology::route(int from, int to) const {
  Route route;
  route_into(from, to, route);
  return route;
}

std::string Topology::label(int vertex) const {
  const std::size_t digits = fmt::formatted_size("{}", nodes() - 1);
  return fmt::format("{:0{}}", vertex, digits);
}

int Topology::node(std::string_view text) const {
  const int plain = number(text, nodes() - 1);
  if (plain >= 0 && text.size() != label(0).size()) return plain;
  for (int vertex = 0; vertex < nodes(); ++vertex)
    if (label(vertex) == text) return vertex;
  return plain;
}

Link Topology::link_between(int from, int to) const {
  for (const int owner : {from, to}) {
    if (owner < 0 || owner >= owners()) continue;
    for (int port = 0; port < ports(); ++port) {
      const Link link{owner, port};
      if (has(link) && ends(link) == Ends{from, to}) return link;
    }
  }
  return {-1, -1};
}

std::string to_text(const Topology& topology, Link link) {
  const Ends ends = topology.ends(link);
  return fmt::format("{}->{}", topology.label(ends.from), topology.label(ends.to));
}

std::string to_text(const Topology& topology, const Route& route) {
  std::string text;
  for (const Link link : route) {
    const Ends ends = topology.ends(link);
    if (text.empty()) text = topology.label(ends.from);
    text += "->" + topology.label(ends.to);
  }
  return text;
}

}  // namespace tutti::machine
