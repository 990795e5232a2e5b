// SPDX-License-Identifier: BSD-3-Clause
// How much each link of a machine was used, as a picture: the more, the redder.
#pragma once

#include <span>
#include <string>

#include "machine/topology.hpp"

namespace tutti::draw {

constexpr int most_nodes_of_heat = 1024;

// Values of links to be shown: `of_link` is indexed by Topology::index, from 0 on; `unit` stands
// behind the numbers of the scale, "us" or "bytes".
struct Heat {
  std::span<const double> of_link;
  std::string unit;
};

// Both directions of a link are arrows of their own, 0 is grey. Throws Error(invalid_argument)
// above most_nodes_of_heat and for topologies with links that do not join two nodes.
[[nodiscard]] std::string heat_svg(const Heat& heat, const machine::Topology& topology,
                                   const std::string& title);

}  // namespace tutti::draw
