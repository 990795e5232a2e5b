// SPDX-License-Identifier: BSD-3-Clause
// Places the nodes of a topology on a page.
#pragma once

#include <vector>

#include "draw/svg_page.hpp"
#include "machine/topology.hpp"

namespace tutti::draw {

// Returns the place of each node. Coordinates are at least 0, and two nodes are at least 24 apart.
[[nodiscard]] std::vector<Point> places_of(const machine::Topology& topology);

// Returns how much the link between two places is bent: 0 if they are neighbours on the page.
[[nodiscard]] double bend_between(Point from, Point to);

}  // namespace tutti::draw
