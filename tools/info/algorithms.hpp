// SPDX-License-Identifier: BSD-3-Clause
// The algorithms that tutti knows, for `tutti info`. What is said of one stands in its header in
// src/algorithms, which the build takes into the library.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tutti::tools {

// A line for each, with its sentence.
void print_algorithms();
[[nodiscard]] nlohmann::json algorithms_json();

// All about those of this name or alias, one for each operation that has it; settings behind the
// name are allowed. Throws Error(invalid_argument).
void print_algorithm(const std::string& name);
[[nodiscard]] nlohmann::json algorithm_json(const std::string& name);

}  // namespace tutti::tools
