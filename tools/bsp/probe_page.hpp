// SPDX-License-Identifier: BSD-3-Clause
// The report of a probe, of one machine or of several beside each other, for a browser.
#pragma once

#include <string>
#include <vector>

#include "bsp/probe.hpp"

namespace tutti::tools {

// One HTML page that needs nothing else: tables of f, l and g, and what figures 2.3, 2.4, 3.1
// and 3.3 to 3.10 of paper 003 show, drawn. Of several machines first what distinguishes them.
[[nodiscard]] std::string probe_page(const std::vector<Probed>& machines);

// The parameters of several machines side by side, each over the best of them, as text.
[[nodiscard]] std::string comparison_of(const std::vector<Probed>& machines);

}  // namespace tutti::tools
