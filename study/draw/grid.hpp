// SPDX-License-Identifier: BSD-3-Clause
// Draws messages on the links of two-dimensional meshes as text.
#pragma once

#include <string>

#include "traffic/message.hpp"

namespace tutti::draw {

// Returns true if the topology has two dimensions and all used links join neighbours of the drawn
// grid.
[[nodiscard]] bool fits_grid(const traffic::Messages& messages, const machine::Topology& topology);

// Returns the grid with the links that the messages use, and below it the messages.
[[nodiscard]] std::string grid_text(const traffic::Messages& step,
                                    const machine::Topology& topology);

}  // namespace tutti::draw
