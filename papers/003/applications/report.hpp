// SPDX-License-Identifier: BSD-3-Clause
// The tables and figures of chapters 4 and 5 of paper 003 for this machine.
#pragma once

#include <string>
#include <vector>

#include "papers/003/applications/runs.hpp"
#include "papers/common/measured.hpp"

namespace tutti::papers {

// Tables 4.2, 5.3 and 5.4, those of appendices D to G, and the flop rates of figure 4.11.
[[nodiscard]] std::vector<MeasuredTable> application_tables(const Applications& all);
// Figures 3.1, 3.2, 4.3 to 4.11, 5.5 and 5.8 to 5.16: one of each kind, or one for each number of
// processes.
[[nodiscard]] std::vector<Chart> application_charts(const Applications& all);

// The two functions return what the command prints.
[[nodiscard]] std::string application_text(const Applications& all);
[[nodiscard]] nlohmann::json application_json(const Applications& all);
[[nodiscard]] const MeasuredPage& application_page();

}  // namespace tutti::papers
