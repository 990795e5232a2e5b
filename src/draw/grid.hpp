// SPDX-License-Identifier: BSD-3-Clause
// Pictures of two-dimensional meshes: links between neighbours.
#pragma once

#include <string>

#include "traffic/message.hpp"

namespace tutti::draw {

// Returns true if there are two dimensions and all links used join neighbours of the drawn grid.
[[nodiscard]] bool fits_grid(const traffic::Messages& messages, const machine::Topology& topology);

// The grid with the links that the messages use, then the messages.
[[nodiscard]] std::string grid_text(const traffic::Messages& step,
                                    const machine::Topology& topology);

}  // namespace tutti::draw
