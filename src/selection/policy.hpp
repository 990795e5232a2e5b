// SPDX-License-Identifier: BSD-3-Clause
// A user's demands on every choice: algorithms by name, and whether results must be the same bits
// whatever is chosen. All ranks need the same policy. They compare its text when they meet, before
// any rank waits for another.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "schedule/generator.hpp"
#include "selection/names.hpp"
#include "selection/settings.hpp"

namespace tutti::selection {

// An algorithm asked for by name.
struct Forced {
  const schedule::Generator* generator = nullptr;
  Settings settings;
};

struct Policy {
  std::array<std::optional<Forced>, schedule::operation_kinds> forced;
  bool reproducible =
      false;  // only algorithms whose expression tree is the canonical one (verifier, class R1)

  [[nodiscard]] const std::optional<Forced>& forced_for(schedule::Operation operation) const {
    return forced[static_cast<std::size_t>(operation)];
  }
};

// Reads an algorithm of the operation by any of its names, and its settings: "tree:branches=2".
// Throws Error(no_such_plan) or Error(invalid_argument), which say what is wrong and what there is.
[[nodiscard]] Forced parse_plan(schedule::Operation operation, std::string_view text);

// "allreduce=ring,bcast=tree:branches=2": operations and algorithms by any of their names. Throws
// as parse_plan.
[[nodiscard]] Policy parse_policy(std::string_view forced);

// Reads TUTTI_ALGORITHM and TUTTI_REPRODUCIBLE. Throws Error(bad_environment).
[[nodiscard]] Policy policy_of_environment();

// Returns one line, equal for equal policies:
// "allreduce=ring,broadcast=tree:branches=2,reproducible". The line is empty for the default
// policy.
[[nodiscard]] std::string to_text(const Policy& policy);

}  // namespace tutti::selection
