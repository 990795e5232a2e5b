// SPDX-License-Identifier: BSD-3-Clause
// Draws simulated times over sizes or over the number of ranks.
#pragma once

#include <vector>

#include "draw/plot.hpp"
#include "simulation/print.hpp"

namespace tutti::tools {

// Over sizes if there are several, else over ranks. Areas reach from the shortest to the longest
// of several runs. Throws Error(invalid_argument) if there is one size and one number of ranks
// only, if there are several of both, or several networks with one number of ranks.
[[nodiscard]] draw::Plot simulated_curve(const std::vector<SimulateResult>& results);

}  // namespace tutti::tools
