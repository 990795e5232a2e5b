// SPDX-License-Identifier: BSD-3-Clause
// The plan named "native": a collective of the MPI that has started the job. A user can ask for it
// by name. It has no schedule, so nothing can verify, draw, price or simulate it, and it is in no
// registry.
#pragma once

#include <string_view>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

inline constexpr std::string_view native_name = "native";

[[nodiscard]] const schedule::Generator& native(schedule::Operation operation);
[[nodiscard]] inline bool is_native(const schedule::Generator& generator) {
  return &generator == &native(generator.operation);
}

// Returns the plan that a user asks for by name: the one that find() returns, or the native
// collective.
[[nodiscard]] const schedule::Generator* named(schedule::Operation operation,
                                               std::string_view name);

}  // namespace tutti::algorithms
