// SPDX-License-Identifier: BSD-3-Clause
// Implements names and routes of the crossbar.
#include "machine/crossbar.hpp"

#include <fmt/format.h>

namespace tutti::machine {

std::string Crossbar::name() const {
  return fmt::format("crossbar:{}", nodes());
}

void Crossbar::route_into(int from, int to, Route& out) const {
  out.clear();
  if (from == to) return;
  out.push_back({from, 0});
  out.push_back({to, 1});
}

std::string Crossbar::label(int vertex) const {
  return vertex == nodes() ? "*" : Topology::label(vertex);
}

}  // namespace tutti::machine
