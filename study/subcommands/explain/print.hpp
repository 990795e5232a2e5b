// SPDX-License-Identifier: BSD-3-Clause
// Declares how `tutti explain` prints explanations, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "selection/choose.hpp"
#include "selection/explain.hpp"
#include "support/machine_json.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {

// Everything that `tutti explain` prints about a call.
struct ExplainAnswer {
  selection::Explanation explanation;
  Extent extent;
  // The library's choice on this machine, the size by which it was made, and the model's row for
  // it. They are set only if the machine of the question is this one.
  std::optional<selection::Choice> library{};
  std::int64_t decided_for = 0;
  std::optional<selection::Row> library_row{};
  std::optional<selection::Row> asked{};  // row of the requested algorithm
  // The row of what TUTTI_ICC forces for calls of iCC, and the best row, by alpha, beta and gamma.
  std::optional<selection::Row> icc{};
  std::optional<selection::Row> best_for_icc{};
  std::vector<std::string> unused{};  // why variables that are set do nothing for this call
};

// `best` shows for each algorithm the settings that are fastest for this call or best at some size;
// `all` shows all settings.
enum class Detail { best, all };
[[nodiscard]] std::string to_text(const selection::Explanation& explanation, const Extent& extent,
                                  Detail detail);
// Returns the name of the library's plan, such as "ring:segments=4".
[[nodiscard]] std::string library_name(const ExplainAnswer& answer);
// Prints what will run on this machine, and then what the model says.
[[nodiscard]] std::string to_text(const ExplainAnswer& answer, Detail detail);
// Contains all settings. Numbers are exact, so times can be recomputed from the terms.
[[nodiscard]] nlohmann::json to_json(const selection::Explanation& explanation,
                                     const Extent& extent);
[[nodiscard]] nlohmann::ordered_json to_json(const ExplainAnswer& answer);

// Returns the price of a row for another size of the vector, in microseconds.
[[nodiscard]] double time_of(const selection::Explanation& explanation, const selection::Row& row,
                             double bytes);

// Returns the four rates of a machine and their origins.
[[nodiscard]] std::string rates_text(const machine::Profile& machine);
[[nodiscard]] nlohmann::json to_json(const selection::Terms& terms);

}  // namespace tutti::tools
