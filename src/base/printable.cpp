// SPDX-License-Identifier: BSD-3-Clause
#include "base/printable.hpp"

#include <fmt/format.h>

namespace tutti::base {

std::string printable(std::string_view text, std::size_t most) {
  std::string shown;
  for (const char c : text.substr(0, most)) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code >= 0x7f) {
      shown += fmt::format("\\x{:02x}", code);
    } else {
      shown += c;
    }
  }
  return text.size() > most ? shown + "..." : shown;
}

}  // namespace tutti::base
