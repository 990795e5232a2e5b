// SPDX-License-Identifier: BSD-3-Clause
// Draws the messages of each step on the layout of a topology, as text.
#pragma once

#include <string>

#include "traffic/message.hpp"

namespace tutti::draw {

// Writes one paragraph per step, or per run of equal steps. Its first line says how many messages
// there are and which link has most of them. The picture below has one of two forms.
//   - The grid, with an arrow where a link is used and its load where that is more than 1. This
//     form needs a topology of two dimensions, and all used links must join neighbours of the grid.
//   - All nodes in a row, with an arrow below for each message: o-> from its source, <-> for both
//     directions. If the topology is no line, routes of messages through other nodes follow.
// The messages have routes.
[[nodiscard]] std::string rounds_text(const traffic::Messages& messages,
                                      const machine::Topology& topology);

}  // namespace tutti::draw
