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
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool is_control = (code < 0x20 && c != '\n') || code == 0x7f;
    shown += is_control ? as_number(c) : std::string(1, c);
  }
  return shown;
}

}  // namespace tutti::base
