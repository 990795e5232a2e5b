// SPDX-License-Identifier: BSD-3-Clause
// Finds characters of a TOML file that are not allowed in their place and that make toml++ 3.3 run
// into code that it declares unreachable, or out of stack. There are five kinds:
//   Some characters beyond ASCII outside of texts and comments (such as U+00E9).
//   A character that cannot begin a table's name after the bracket of a header.
//   A '}' in place of a list's element.
//   Text that is no time after a date.
//   A dot in a name of more than 65 parts, each of which is a table in the one before.
#pragma once

#include <optional>
#include <string_view>

namespace tutti::machine {

struct StrayCharacter {
  int line;
  const char* why;  // a sentence without its full stop
};

// Returns the first such character, or nothing.
[[nodiscard]] std::optional<StrayCharacter> stray_character(std::string_view toml);

}  // namespace tutti::machine
