// SPDX-License-Identifier: BSD-3-Clause
// Lets curves that lie upon each other take turns, so that none hides another.
#pragma once

#include <span>
#include <vector>

#include "draw/svg_page.hpp"

namespace tutti::draw {

using Trail = std::vector<Point>;  // the corners of a line

// Returns the pieces of each trail that are drawn. A trail is drawn whole where it is alone. Where
// several trails lie upon each other, they are drawn in short pieces, one after the other.
[[nodiscard]] std::vector<std::vector<Trail>> in_turns(std::span<const Trail> trails);

}  // namespace tutti::draw
