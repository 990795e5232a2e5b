// SPDX-License-Identifier: BSD-3-Clause
// Asks the terminal and paints text for it.
#include "support/screen.hpp"

#include <fmt/color.h>
#include <unistd.h>

#include <sstream>

#include "base/environment.hpp"
#include "support/terminal.hpp"

namespace tutti::tools {
namespace {

fmt::text_style style_of(Paint paint) {
  switch (paint) {
    case Paint::good:
      return fmt::fg(fmt::terminal_color::green);
    case Paint::bad:
      return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
    case Paint::head:
      break;
  }
  return fmt::emphasis::bold;
}

}  // namespace

Screen screen() {
  Screen found{.width = terminal_width()};
  if (found.width && isatty(STDERR_FILENO) == 1 && base::colours_wanted())
    found.colours = Colours::ansi;
  return found;
}

std::string painted(const std::string& text, Paint paint, Colours colours) {
  if (text.empty() || colours == Colours::none) return text;
  return fmt::format(style_of(paint), "{}", text);
}

std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines{""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

}  // namespace tutti::tools
