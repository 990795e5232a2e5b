// SPDX-License-Identifier: BSD-3-Clause
// Round-by-round pictures: who sends to whom in each step, on the layout of a topology, as text.
#pragma once

#include <string>

#include "traffic/message.hpp"

namespace tutti::draw {

// One paragraph per step: how many messages there are, the busiest link, and
//   - on two dimensions, if messages use links between neighbours of the drawn grid only: the grid
//     with an arrow where a link is used, and the load of the link where it is more than 1;
//   - else all nodes in a row with an arrow below for each message, o-> from its source, <-> for
//     both directions; the nodes in between are named where the topology is no line and the message
//     passes some.
// The messages have routes.
[[nodiscard]] std::string rounds_text(const traffic::Messages& messages,
                                      const machine::Topology& topology);

}  // namespace tutti::draw
