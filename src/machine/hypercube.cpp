// SPDX-License-Identifier: BSD-3-Clause
// Implements labels and routes of hypercubes.
#include "machine/hypercube.hpp"

#include <fmt/format.h>

namespace tutti::machine {

std::string Hypercube::name() const {
  return fmt::format("hypercube:{}", dimensions_);
}

std::vector<int> Hypercube::extents() const {
  return std::vector<int>(static_cast<std::size_t>(dimensions_), 2);
}

std::string Hypercube::label(int vertex) const {
  return fmt::format("{:0{}b}", vertex, dimensions_);
}

void Hypercube::route_into(int from, int to, Route& out) const {
  out.clear();
  int at = from;
  for (int port = dimensions_ - 1; port >= 0; --port) {
    if (((at ^ to) & bit(port)) == 0) continue;
    out.push_back({at, port});
    at ^= bit(port);
  }
}

}  // namespace tutti::machine
