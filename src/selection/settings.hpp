// SPDX-License-Identifier: BSD-3-Clause
// The parameters of an algorithm apart from the call's own, as a value and as text: "branches=2",
// "factors=4x8:cut=1".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/generator.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {

struct Settings {
  int branches = 1;
  int rings = 1;
  int segments = 1;
  std::vector<int> factors;
  int cut = 0;
  friend bool operator==(const Settings&, const Settings&) = default;

  // The shape refers to `factors` and must not be used after this object is gone.
  [[nodiscard]] schedule::Shape shape(int p, int root = 0) const {
    return {p, root, branches, rings, segments, factors, cut};
  }
};

// Throws Error(invalid_argument), which names the setting, if its value is too large for any plan.
// Branches and rings have no limit, because a schedule has no more of them than processes.
void require_setting(std::string_view name, int value);

// Returns the settings that differ from the defaults, in the form that parse_settings takes; empty
// if none does.
[[nodiscard]] std::string to_text(const Settings& settings);

// Returns the one name of an algorithm with its settings, which parse_plan takes, such as "tree" or
// "tree:branches=2". Hybrids are named by their strategy: "hybrid:4cx16r.8c".
[[nodiscard]] std::string plan_name(const schedule::Generator& generator, const Settings& settings);

// Returns the strategy that a hybrid's settings describe; `ranks` is as in Strategy.
[[nodiscard]] Strategy strategy_of(const Settings& settings, int ranks);

// Reads settings, or the name of a hybrid's strategy, such as "4cx16r.8c". Throws
// Error(invalid_argument).
[[nodiscard]] Settings parse_settings(std::string_view text);

}  // namespace tutti::selection
