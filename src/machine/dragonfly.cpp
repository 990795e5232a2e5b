// SPDX-License-Identifier: BSD-3-Clause
// Implements links and routes of dragonflies.
#include "machine/dragonfly.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::machine {

Dragonfly::Dragonfly(const Shape& shape)
    : Topology(counts(shape)), shape_(shape), global_(links_to_groups(shape)) {}

Topology::Counts Dragonfly::counts(const Shape& shape) {
  const int routers = shape.groups * shape.routers, nodes = routers * shape.hosts;
  return {nodes, std::max(2, shape.routers - 1 + links_to_groups(shape)), nodes + routers,
          nodes + routers};
}

std::string Dragonfly::name() const {
  return fmt::format("dragonfly:{}x{}x{}", shape_.groups, shape_.routers, shape_.hosts);
}

bool Dragonfly::has(Link link) const {
  if (link.node < nodes()) return link.port < 2;
  const int local = shape_.routers - 1;
  if (link.port < local) return true;
  const int number = (link.node - nodes()) % shape_.routers, place = link.port - local;
  return place < global_ && number * global_ + place < shape_.groups - 1;
}

Ends Dragonfly::ends(Link link) const {
  if (link.node < nodes()) {
    const int own = nodes() + link.node / shape_.hosts;
    return link.port == 0 ? Ends{link.node, own} : Ends{own, link.node};
  }
  const int group = (link.node - nodes()) / shape_.routers,
            number = (link.node - nodes()) % shape_.routers;
  const int local = shape_.routers - 1;
  if (link.port < local)
    return {link.node, router(group, link.port + (link.port < number ? 0 : 1))};
  const int other = (group + 1 + number * global_ + link.port - local) % shape_.groups;
  return {link.node, gateway(other, group)};
}

void Dragonfly::add_local(int from, int to, Route& out) const {
  if (from != to) out.push_back({from, (to - nodes()) % shape_.routers - (to > from ? 1 : 0)});
}

void Dragonfly::route_into(int from, int to, Route& out) const {
  out.clear();
  if (from == to) return;
  const int last = nodes() + to / shape_.hosts;
  const int group = from / shape_.hosts / shape_.routers,
            other = to / shape_.hosts / shape_.routers;
  int at = nodes() + from / shape_.hosts;
  out.push_back({from, 0});
  if (group != other) {
    const int exit = gateway(group, other);
    add_local(at, exit, out);
    out.push_back({exit, shape_.routers - 1 + way(group, other) % global_});
    at = gateway(other, group);
  }
  add_local(at, last, out);
  out.push_back({to, 1});
}

std::string Dragonfly::label(int vertex) const {
  if (vertex < nodes()) return Topology::label(vertex);
  return fmt::format("{}.{}", (vertex - nodes()) / shape_.routers,
                     (vertex - nodes()) % shape_.routers);
}

}  // namespace tutti::machine
