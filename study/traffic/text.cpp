// SPDX-License-Identifier: BSD-3-Clause
// Splits text into lines, words and the nodes of arrows.
#include "traffic/text.hpp"

#include <algorithm>

namespace tutti::traffic {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<TextLine> lines_of(std::string_view text) {
  std::vector<TextLine> lines;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view content = trimmed(line.substr(0, line.find('#')));
    ++number;
    if (!content.empty()) lines.push_back({content, number});
  }
  return lines;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  while (!(text = trimmed(text)).empty()) {
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    found.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return found;
}

bool is_arrow(std::string_view word) {
  const std::size_t at = std::min(word.find("->"), word.find("--"));
  return at != std::string_view::npos && at > 0 &&
         word.find_first_not_of('-') != std::string_view::npos;
}

Arrow split_arrow(std::string_view text) {
  Arrow arrow;
  const std::size_t both = text.find("--"), one = text.find("->");
  if (both == std::string_view::npos && one == std::string_view::npos) return arrow;
  arrow.both = both < one;
  const std::string_view sign = arrow.both ? "--" : "->";
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(sign, begin), text.size());
    arrow.nodes.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + sign.size();
  }
  return arrow;
}

}  // namespace tutti::traffic
