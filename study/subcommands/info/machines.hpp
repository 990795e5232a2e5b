// SPDX-License-Identifier: BSD-3-Clause
// Lists the machines for `tutti info`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tutti::tools {

// Prints a table of all built-in machines.
void print_machines();
[[nodiscard]] nlohmann::json machines_json();

// Prints every number and word of one machine, given by name or path, with status and source. A
// profile without a network cannot be simulated; its own entries are printed. Throws
// Error(invalid_argument).
void print_machine(const std::string& name);
[[nodiscard]] nlohmann::json machine_json(const std::string& name);
// Returns the same as a machine file. Throws, too, if the network is a graph of a file.
[[nodiscard]] std::string machine_toml(const std::string& name);

}  // namespace tutti::tools
