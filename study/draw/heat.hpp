// SPDX-License-Identifier: BSD-3-Clause
// Draws how much each link of a machine is used: the more, the darker.
#pragma once

#include <span>
#include <string>

#include "machine/topology.hpp"

namespace tutti::draw {

constexpr int most_nodes_of_heat = 1024;

// `of_link` has a value for each link, by Topology::index. `unit` says what the values are, such as
// "us busy".
struct Heat {
  std::span<const double> of_link;
  std::string unit;
};

// Each direction of a used link is an arrow; unused links are grey lines, and nodes at unused links
// only are dots. Throws Error(invalid_argument) above most_nodes_of_heat and for topologies with
// links that do not join two nodes.
[[nodiscard]] std::string heat_svg(const Heat& heat, const machine::Topology& topology,
                                   const std::string& title);

}  // namespace tutti::draw
