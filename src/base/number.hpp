// SPDX-License-Identifier: BSD-3-Clause
// Numbers that people write.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace tutti::base {

// The whole text as a number; nothing if it is something else or too large.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace tutti::base
