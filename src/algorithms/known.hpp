// SPDX-License-Identifier: BSD-3-Clause
// The list of generators that the registry searches, before plug-ins are loaded. Those who register
// generators use it; all others use registry.hpp.
#pragma once

#include <string_view>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

// Appends a generator, which stays.
void make_known(const schedule::Generator& generator);

// Returns the generator of this name or alias among those that are known; null if there is none.
[[nodiscard]] const schedule::Generator* known_as(schedule::Operation operation,
                                                  std::string_view name);

}  // namespace tutti::algorithms
