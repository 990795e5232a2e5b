// SPDX-License-Identifier: BSD-3-Clause
// Parses TOML and names the types of its values.
#include "machine/toml_reader.hpp"

#include "machine/toml_text.hpp"

namespace tutti::machine {

toml::table parse_toml(std::string_view text, const std::string& origin) {
  try {
    return read_toml(text, origin);
  } catch (const TomlProblem& problem) {
    reject(origin, problem.line, "{}", problem.why);
  }
}

const char* type_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

}  // namespace tutti::machine
