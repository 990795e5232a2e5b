// SPDX-License-Identifier: BSD-3-Clause
// The machines that tutti knows, for `tutti info`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tutti::tools {

// A table of all built-in machines.
void print_machines();
[[nodiscard]] nlohmann::json machines_json();

// Every number and word of one, by name or path, with status and source. Throws
// Error(invalid_argument). A profile without a network is no machine to simulate and prints what it
// has.
void print_machine(const std::string& name);
[[nodiscard]] nlohmann::json machine_json(const std::string& name);

}  // namespace tutti::tools
