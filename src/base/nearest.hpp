// SPDX-License-Identifier: BSD-3-Clause
// Finds the known word that a user probably meant by an unknown one, for messages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tutti::base {

// Returns the known word that takes the fewest typing errors to become `word`: a letter too many,
// one too few, a wrong one, or two neighbours exchanged. It is the first of several words that are
// equally near. Nothing is returned if no word is near enough to be what was meant.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string_view> known);

// A word that is understood, and the name of what it means in lists.
struct KnownWord {
  std::string_view word;
  std::string_view name;
};
// "; did you mean 'ring'?" with the name of the nearest word, or nothing. So nobody is told of a
// word that no list shows.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const KnownWord> known);
// Does so for words that are names themselves.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace tutti::base
