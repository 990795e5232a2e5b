// SPDX-License-Identifier: BSD-3-Clause
// Text from files and plug-ins as a message may show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::base {

// Returns the text with all bytes but printable ASCII as \xNN, such as \x1b, so that it cannot
// move a terminal's cursor or begin a line. Behind `most` bytes it ends with "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t most);

// Returns the text with control characters as \xNN, but newlines and all of UTF-8 as they are. A
// message may have words of a file or of the command line in it.
[[nodiscard]] std::string without_controls(std::string_view text);

}  // namespace tutti::base
