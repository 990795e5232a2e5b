// SPDX-License-Identifier: BSD-3-Clause
// The tuning table with the values that a job made here would get.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tutti::tools {

// Throws Error if the machine file or TUTTI_TUNING is not understood.
void print_tuning();
// Says whether processes of a job copy from and to each other's memory.
[[nodiscard]] std::string copies_by_kernel();
// Says how many rows the machine file sets, or why it sets none.
[[nodiscard]] std::string rows_of_profile();
[[nodiscard]] nlohmann::json tuning_json();

}  // namespace tutti::tools
