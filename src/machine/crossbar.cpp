// SPDX-License-Identifier: BSD-3-Clause
// Names of the crossbar.
#include "machine/crossbar.hpp"

#include <fmt/format.h>

namespace tutti::machine {

std::string Crossbar::name() const {
  return fmt::format("crossbar:{}", nodes_);
}

std::string Crossbar::label(int vertex) const {
  return vertex == nodes_ ? "*" : Topology::label(vertex);
}

}  // namespace tutti::machine
