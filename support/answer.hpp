// SPDX-License-Identifier: BSD-3-Clause
// Writes what verbs print for programs. An answer is a JSON object whose first field names the verb
// and the version of the answer, such as "tutti_explain": 1. share/tutti has a schema for each.
// Errors are such objects, too.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace tutti::tools {

// `lines` puts each field on a line; `compact` is for answers that may be long.
enum class Layout { lines, compact };

// Returns the answer of a verb with these fields. Every change of their meaning changes the version
// and the schema.
[[nodiscard]] std::string answer_text(std::string_view verb, const nlohmann::json& fields,
                                      Layout layout = Layout::lines);
[[nodiscard]] std::string answer_text(std::string_view verb, const nlohmann::ordered_json& fields);

// Says whether the command line asks for JSON. Errors are then printed as JSON, too.
void answer_in_json(bool wanted);

// Prints an error of a command, such as "tutti explain": as one line on standard error and, if JSON
// is wanted, as an answer on standard output.
void print_error(const std::string& command, base::Status status, const std::string& message,
                 int exit_code);

}  // namespace tutti::tools
