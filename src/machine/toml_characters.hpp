// SPDX-License-Identifier: BSD-3-Clause
// Finds characters of a TOML file that stand where TOML does not allow them and that toml++ 3.3
// does not survive, because it runs into places that it declares unreachable. They are some
// characters beyond ASCII outside of texts and comments (U+00E9, for one), a character that cannot
// begin the name of a table after the bracket of a header, a '}' in place of a list's element, and
// text that is no time after a date.
#pragma once

#include <optional>
#include <string_view>

namespace tutti::machine {

struct StrayCharacter {
  int line;
  const char* why;  // a sentence without its full stop
};

// The first one; none if all are in place.
[[nodiscard]] std::optional<StrayCharacter> stray_character(std::string_view toml);

}  // namespace tutti::machine
