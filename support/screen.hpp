// SPDX-License-Identifier: BSD-3-Clause
// How the standard output shows text: in lines of a terminal and in colours, or as it is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tutti::tools {

enum class Colours { none, ansi };

struct Screen {
  std::optional<std::size_t> width{};  // of a line; nothing where lines may have any length
  Colours colours = Colours::none;
};

// Returns what the standard output is. It has colours if it and the standard error output are both
// terminals, so that none reach a file, and NO_COLOR is not set.
[[nodiscard]] Screen screen();

enum class Paint { head, good, bad };

[[nodiscard]] std::string painted(const std::string& text, Paint paint, Colours colours);

// Breaks a text into lines of at most `width` letters.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text, std::size_t width);

}  // namespace tutti::tools
