// SPDX-License-Identifier: BSD-3-Clause
// The name "native": a collective of the MPI that has started the job, as one more plan that can be
// asked for. It has no schedule, so it is in no registry: nothing can verify, draw, price or
// simulate it.
#pragma once

#include <string_view>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

inline constexpr std::string_view native_name = "native";

[[nodiscard]] const schedule::Generator& native(schedule::Operation operation);
[[nodiscard]] inline bool is_native(const schedule::Generator& generator) {
  return &generator == &native(generator.operation);
}

// Returns the algorithm that a user may name: one that find() knows, or native.
[[nodiscard]] const schedule::Generator* named(schedule::Operation operation,
                                               std::string_view name);

}  // namespace tutti::algorithms
