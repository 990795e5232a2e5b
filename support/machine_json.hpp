// SPDX-License-Identifier: BSD-3-Clause
// Writes the profile of a machine as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "machine/profile.hpp"

namespace tutti::tools {

// Contains every number with its unit, its status and its source.
[[nodiscard]] nlohmann::json to_json(const machine::Profile& machine);

}  // namespace tutti::tools
