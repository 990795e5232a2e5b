// SPDX-License-Identifier: BSD-3-Clause
// Writes messages on links as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "traffic/message.hpp"

namespace tutti::tools {

// Returns {"topology", "nodes", "steps": [{"step", "most", "link", "messages": [{"from", "to",
// "block_count", "route"}]}], "conflicts": [{"step", "link", "messages"}]}. Ranks are numbers. A
// route lists the vertices that it passes. Links and messages of conflicts are texts with labels.
[[nodiscard]] nlohmann::json messages_json(const traffic::Messages& messages,
                                           const machine::Topology& topology);

}  // namespace tutti::tools
