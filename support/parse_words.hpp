// SPDX-License-Identifier: BSD-3-Clause
// Says in tutti's words what CLI11 has found wrong with a command line. The command and the
// applications use it, so no text of CLI11 reaches a user.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace tutti::tools {

// Returns for example "--ranks needs a value". Control characters are escaped, and a value is cut
// behind most_shown characters.
[[nodiscard]] std::string words_of(const CLI::App& app, const CLI::ParseError& problem);

constexpr std::size_t most_shown = 200;
// Returns the text, or its begin and "..." if it is longer than that.
[[nodiscard]] std::string shortened(std::string_view text);

}  // namespace tutti::tools
