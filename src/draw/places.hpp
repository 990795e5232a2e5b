// SPDX-License-Identifier: BSD-3-Clause
// Where the nodes of a topology stand on a page.
#pragma once

#include <vector>

#include "draw/svg_page.hpp"
#include "machine/topology.hpp"

namespace tutti::draw {

// Returns the place of each node, from {0, 0} on. No two nodes come closer than 24.
[[nodiscard]] std::vector<Point> places_of(const machine::Topology& topology);

// Links between nodes that are not neighbours on the page are bent.
[[nodiscard]] double bend_between(Point from, Point to);

}  // namespace tutti::draw
