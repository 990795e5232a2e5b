// SPDX-License-Identifier: BSD-3-Clause
// A film in words, made from its messages: what stands above and below its pictures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/film.hpp"

namespace tutti::draw {

// Returns sentences that explain the rounds, messages and blocks of the film.
[[nodiscard]] std::vector<std::string> heading(const Film& film);
// One for each run of rounds that follow one kind of rule.
[[nodiscard]] std::vector<std::string> sentences(const Film& film);

// "0-3,7"
[[nodiscard]] std::string runs(const std::vector<int>& numbers);

// Characters of UTF-8 text.
[[nodiscard]] std::size_t width(std::string_view text);
// Lines of at most `most` characters; those after the first are indented.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t most);

}  // namespace tutti::draw
