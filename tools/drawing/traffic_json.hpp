// SPDX-License-Identifier: BSD-3-Clause
// Messages on links as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "traffic/message.hpp"

namespace tutti::tools {

// {"topology", "nodes", "steps": [{"step", "most", "link", "messages": [{"from", "to", "blocks",
// "route"}]}],
//  "conflicts": [{"step", "link", "messages"}]}; ranks are numbers, a route lists the vertices it
//  passes, links and
// messages of conflicts are texts with labels.
[[nodiscard]] nlohmann::json messages_json(const traffic::Messages& messages,
                                           const machine::Topology& topology);

}  // namespace tutti::tools
