// SPDX-License-Identifier: BSD-3-Clause
// A verdict as text, as JSON and as a page with a time line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "draw/plot.hpp"
#include "verdict/judge.hpp"

namespace tutti::tools {

[[nodiscard]] std::string verdict_text(const MpiRecord& record, const Verdict& verdict);
[[nodiscard]] nlohmann::json verdict_json(const MpiRecord& record, const Verdict& verdict);
// Returns a plot for each kind of calls that were made again.
[[nodiscard]] std::vector<draw::Plot> verdict_curves(const MpiRecord& record,
                                                     const Verdict& verdict);
[[nodiscard]] std::string verdict_page(const MpiRecord& record, const Verdict& verdict);

}  // namespace tutti::tools
