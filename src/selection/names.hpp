// SPDX-License-Identifier: BSD-3-Clause
// The names by which people ask for operations: those of MPI, and those of the papers.
#pragma once

#include <string_view>

#include "schedule/generator.hpp"

namespace tutti::selection {

// Returns the operation of that name. Throws Error(invalid_argument) that lists the names there
// are.
[[nodiscard]] schedule::Operation operation_named(std::string_view name);

}  // namespace tutti::selection
