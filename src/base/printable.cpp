// SPDX-License-Identifier: BSD-3-Clause
#include "base/printable.hpp"

#include <fmt/format.h>

namespace tutti::base {
namespace {

std::string as_number(char c) {
  return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string shown;
  for (const char c : text.substr(0, most)) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code >= 0x7f) {
      shown += as_number(c);
    } else {
      shown += c;
    }
  }
  return text.size() > most ? shown + "..." : shown;
}

std::string without_controls(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    const bool is_control = (code < 0x20 && code != '\n') || code == 0x7f;
    // Terminals take the characters from 0x80 to 0x9f for controls, too; UTF-8 begins them so.
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (code == 0xc2 && next >= 0x80 && next < 0xa0) {
      shown += as_number(text[i]) + as_number(text[i + 1]);
      ++i;
    } else {
      shown += is_control ? as_number(text[i]) : std::string(1, text[i]);
    }
  }
  return shown;
}

}  // namespace tutti::base
