// SPDX-License-Identifier: BSD-3-Clause
// Short texts in a state line, padded with zeros. Their owner may change them while others read
// them, so they are words of 8 bytes, none of which is ever torn.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "transport/shared.hpp"

namespace tutti::transport::shm {

template <std::size_t count>
using StateText = Shared<std::uint64_t>[count];

template <std::size_t count>
[[nodiscard]] std::string text_in(const StateText<count>& place) {
  std::uint64_t words[count];
  for (std::size_t i = 0; i < count; ++i) words[i] = place[i].peek();
  char text[sizeof words + 1] = {};
  std::memcpy(text, words, sizeof words);
  return text;
}

template <std::size_t count>
void write_text(StateText<count>& place, const std::array<char, 8 * count>& text) {
  std::uint64_t words[count];
  std::memcpy(words, text.data(), sizeof words);
  for (std::size_t i = 0; i < count; ++i) place[i].put(words[i]);
}

}  // namespace tutti::transport::shm
