// SPDX-License-Identifier: BSD-3-Clause
// Explanations as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "selection/choose.hpp"
#include "selection/explain.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {

// All that `tutti explain` says of a call.
struct ExplainAnswer {
  selection::Explanation explanation;
  Extent extent;
  // What the library takes here, by which size, and what the model says of it; where the machine is
  // this one.
  std::optional<selection::Choice> library{};
  std::int64_t decided_for = 0;
  std::optional<selection::Row> library_row{};
  std::optional<selection::Row> asked{};  // the algorithm that was asked for
};

// Of each algorithm the settings that are fastest here or best at some size, or all settings.
enum class Detail { best, all };
[[nodiscard]] std::string to_text(const selection::Explanation& explanation, const Extent& extent,
                                  Detail detail);
// "ring:segments=4"
[[nodiscard]] std::string library_name(const ExplainAnswer& answer);
// First what will run here, then what the model says.
[[nodiscard]] std::string to_text(const ExplainAnswer& answer, Detail detail);
// All settings. Numbers are exact, so the times can be computed again from the terms.
[[nodiscard]] nlohmann::json to_json(const selection::Explanation& explanation,
                                     const Extent& extent);
[[nodiscard]] nlohmann::ordered_json to_json(const ExplainAnswer& answer);

// The four rates of a machine and where they come from.
[[nodiscard]] std::string rates_text(const machine::Profile& machine);
[[nodiscard]] nlohmann::json to_json(const selection::Terms& terms);
[[nodiscard]] nlohmann::json to_json(const machine::Profile& machine);

}  // namespace tutti::tools
