// SPDX-License-Identifier: BSD-3-Clause
// Sets of numbers in 32 bits, by which receives select messages: a bit for each of the first
// numbers, and the next bit for all others (tutti_accept_set).
#pragma once

#include <cstdint>

namespace tutti::transport {

// Looks at the low 32 bits of a tag.
[[nodiscard]] constexpr bool is_in(std::uint32_t set, std::uint64_t tag) {
  constexpr std::uint32_t single = 30;
  const auto number = static_cast<std::uint32_t>(tag);
  return (set >> (number < single ? number : single) & 1U) != 0;
}

}  // namespace tutti::transport
