// SPDX-License-Identifier: BSD-3-Clause
// Describes a film in words, made from its messages: the heading and the sentences of its pictures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/film.hpp"

namespace tutti::draw {

// Returns sentences that count rounds and messages and say what a block is.
[[nodiscard]] std::vector<std::string> heading(const Film& film);
// A run of rounds that follow one kind of rule, by their indices, and the sentence about it. The
// last one of a wrong schedule says what is wrong; it has no round if the result is.
struct PhaseText {
  std::size_t first = 0, end = 0;
  std::string sentence;
};
[[nodiscard]] std::vector<PhaseText> phases(const Film& film);
// The sentence that says what is wrong begins with this.
constexpr std::string_view wrong_begins = "WRONG: ";
// Returns the sentences of all phases.
[[nodiscard]] std::vector<std::string> sentences(const Film& film);

// Returns numbers as "0-3,7".
[[nodiscard]] std::string runs(const std::vector<int>& numbers);

// Returns the number of characters of UTF-8 text.
[[nodiscard]] std::size_t width(std::string_view text);
// Breaks text into lines of at most `most` characters. Lines after the first are indented.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t most);

}  // namespace tutti::draw
