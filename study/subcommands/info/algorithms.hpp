// SPDX-License-Identifier: BSD-3-Clause
// Lists the algorithms for `tutti info`. The facts about an algorithm come from the comment at the
// top of its file in src/algorithms, which the build puts into the library.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tutti::tools {

// Prints a line with one sentence for each algorithm.
void print_algorithms();
[[nodiscard]] nlohmann::json algorithms_json();

// Prints everything about the algorithms with this name or alias, one for each operation that has
// it. Settings may follow the name. Throws Error(invalid_argument).
void print_algorithm(const std::string& name);
[[nodiscard]] nlohmann::json algorithm_json(const std::string& name);

}  // namespace tutti::tools
