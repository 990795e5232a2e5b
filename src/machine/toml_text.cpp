// SPDX-License-Identifier: BSD-3-Clause
// Refuses texts that toml++ must not see, and passes on the others.
#include "machine/toml_text.hpp"

#include "machine/toml_characters.hpp"

namespace tutti::machine {

toml::table read_toml(std::string_view text, const std::string& origin) {
  if (const auto stray = stray_character(text)) throw TomlProblem{stray->line, stray->why};
  try {
    return toml::parse(text, origin);
  } catch (const toml::parse_error& error) {
    throw TomlProblem{static_cast<int>(error.source().begin.line),
                      std::string(error.description())};
  }
}

}  // namespace tutti::machine
