// SPDX-License-Identifier: BSD-3-Clause
// The words of the files that describe schedules.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tutti::traffic {

// A line that says something, without its comment (from # on) and with its number in the file.
struct TextLine {
  std::string_view text;
  int number;
};
[[nodiscard]] std::vector<TextLine> lines_of(std::string_view text);

// Returns the words between blanks.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);

// All parts, empty ones too.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

[[nodiscard]] bool is_arrow(std::string_view word);

// "a->b->c", or "a--b" for both directions. No nodes if it is neither.
struct Arrow {
  std::vector<std::string_view> nodes;
  bool both = false;
};
[[nodiscard]] Arrow split_arrow(std::string_view text);

}  // namespace tutti::traffic
