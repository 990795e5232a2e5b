// SPDX-License-Identifier: BSD-3-Clause
// The one way from a text to the tables of toml++. Some wrong texts lead toml++ to an assertion or,
// without assertions, to memory that is none of its own, so each text is looked at before.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace tutti::machine {

// Thrown for a text that is no TOML.
struct TomlProblem {
  int line;
  std::string why;
};

// `origin` is the name of the file, to which the nodes of the table refer. Throws TomlProblem.
[[nodiscard]] toml::table read_toml(std::string_view text, const std::string& origin);

}  // namespace tutti::machine
