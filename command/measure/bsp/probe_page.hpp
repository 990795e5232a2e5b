// SPDX-License-Identifier: BSD-3-Clause
// Writes the report of a probe for a browser, for one machine or for several side by side.
#pragma once

#include <string>
#include <vector>

#include "bsp/probe.hpp"

namespace tutti::tools {

// Returns one self-contained HTML page: tables of f, l and g, and drawings like figures 2.3, 2.4,
// 3.1 and 3.3 to 3.10 of paper 003. With several machines, their differences come first.
[[nodiscard]] std::string probe_page(const std::vector<Probed>& machines);

// Returns the parameters of several machines side by side as text, each also relative to the best
// machine.
[[nodiscard]] std::string comparison_of(const std::vector<Probed>& machines);

}  // namespace tutti::tools
