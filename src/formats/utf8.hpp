// SPDX-License-Identifier: BSD-3-Clause
// Characters of text files as UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::formats {

// Appends a character, which is none of the halves D800 to DFFF.
inline void append_utf8(std::string& out, std::uint32_t code) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// Returns true if the text is UTF-8, without halves of characters and longer forms than needed.
inline bool is_utf8(std::string_view text) {
  constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    const std::size_t more = first < 0x80         ? 0
                             : first >> 5 == 0x06 ? 1
                             : first >> 4 == 0x0e ? 2
                             : first >> 3 == 0x1e ? 3
                                                  : 4;
    if (more == 4 || i + more > text.size()) return false;
    std::uint32_t code = more == 0 ? first : first & (0x3fU >> more);
    for (std::size_t k = 0; k < more; ++k) {
      const auto next = static_cast<unsigned char>(text[i++]);
      if (next >> 6 != 2) return false;
      code = code << 6 | (next & 0x3fU);
    }
    if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  }
  return true;
}

}  // namespace tutti::formats
