// SPDX-License-Identifier: BSD-3-Clause
// Whole numbers in names of nodes and topologies.
#pragma once

#include <charconv>
#include <string_view>

namespace tutti::machine {

// The whole text as a number without sign and leading zeros, at most `most`; -1 if it is something else.
[[nodiscard]] inline int number(std::string_view text, int most) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || value < 0 || value > most || (text.size() > 1 && text[0] == '0')) return -1;
  return value;
}

}  // namespace tutti::machine
