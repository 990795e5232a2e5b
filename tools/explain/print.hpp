// SPDX-License-Identifier: BSD-3-Clause
// Explanations as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "selection/choose.hpp"
#include "selection/explain.hpp"
#include "selection/table2.hpp"

namespace tutti::tools {

// Of each algorithm the settings that are fastest here or best at some size, or all settings.
enum class Detail { best, all };
[[nodiscard]] std::string to_text(const selection::Explanation& explanation, Detail detail);
// All settings. Numbers are exact, so the times can be computed again from the terms.
[[nodiscard]] nlohmann::json to_json(const selection::Explanation& explanation);

// What the library takes, and what decided so: "ring:segments=4: named by tune.toml line 3".
[[nodiscard]] std::string to_text(const selection::Choice& choice);
[[nodiscard]] nlohmann::json to_json(const selection::Choice& choice);

[[nodiscard]] std::string to_text(const std::vector<selection::Table2Row>& table, const machine::Profile& machine);
[[nodiscard]] nlohmann::json to_json(const std::vector<selection::Table2Row>& table, const machine::Profile& machine);

[[nodiscard]] nlohmann::json to_json(const machine::Profile& machine);

}  // namespace tutti::tools
