// SPDX-License-Identifier: BSD-3-Clause
// Draws the prices of a call over the size of its vector or over the number of ranks.
#pragma once

#include <functional>

#include "draw/plot.hpp"
#include "explain/print.hpp"

namespace tutti::tools {

// Shows the algorithms that are the best at some size, each with its best settings, at least two of
// them, the plan that the library takes and the one that was asked about. Below them lie what no
// plan can beat and what a bare message or copy takes. Throws Error(invalid_argument) if there is
// nothing to draw.
[[nodiscard]] draw::Plot curve_over_bytes(const ExplainAnswer& answer);

// Shows the algorithms that are the best for some number of ranks up to that of the call, and the
// two best for its own. `explained` explains the call for another number of ranks.
[[nodiscard]] draw::Plot curve_over_ranks(
    const ExplainAnswer& answer, const std::function<selection::Explanation(int ranks)>& explained);

}  // namespace tutti::tools
