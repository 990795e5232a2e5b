// SPDX-License-Identifier: BSD-3-Clause
// The terminal that the standard output may be.
#pragma once

#include <cstddef>
#include <optional>

namespace tutti::tools {

// Returns how many characters a line of the terminal has, or 80 if it does not know; nothing if the
// standard output is no terminal.
[[nodiscard]] std::optional<std::size_t> terminal_width();

}  // namespace tutti::tools
