// SPDX-License-Identifier: BSD-3-Clause
// Splits the files that describe schedules into lines, words and arrows. The readers of charts and
// of lists of pairs use it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tutti::traffic {

// A line that is not empty, without its comment (from # on), and its number in the file.
struct TextLine {
  std::string_view text;
  int number;
};
[[nodiscard]] std::vector<TextLine> lines_of(std::string_view text);

// Returns the words between blanks.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);

// Returns all parts between separators, empty ones included.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

[[nodiscard]] bool is_arrow(std::string_view word);

// The nodes of "a->b->c", or of "a--b" for both directions. There are no nodes if the text is
// neither.
struct Arrow {
  std::vector<std::string_view> nodes;
  bool both = false;
};
[[nodiscard]] Arrow split_arrow(std::string_view text);

}  // namespace tutti::traffic
