// SPDX-License-Identifier: BSD-3-Clause
// Finds the nearest word. The distance of two words is the number of typing errors between them.
#include "base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tutti::base {
namespace {

constexpr std::size_t longest = 64;  // a longer word is no typing error

// Computes the restricted Damerau-Levenshtein distance. `row` belongs to the first i letters of a,
// `before` to i - 1 and `earlier` to i - 2. An exchange of neighbours needs `earlier`.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> earlier(b.size() + 1), before(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    earlier.swap(before);
    before.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, before[j] + 1, row[j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], earlier[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known) {
  if (word.size() > longest) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t d = distance(word, candidate);
    // With as many errors as letters, nothing of the word would be left.
    if (d < least && d < std::min(word.size(), candidate.size())) least = d, best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const auto meant = nearest(word, known);
  return meant ? fmt::format("; did you mean '{}'?", *meant) : std::string();
}

std::string did_you_mean(std::string_view word, std::span<const KnownWord> known) {
  std::vector<std::string_view> words;
  for (const KnownWord& one : known) words.push_back(one.word);
  const auto meant = nearest(word, words);
  if (!meant) return {};
  const auto found = std::find(words.begin(), words.end(), *meant);
  return fmt::format("; did you mean '{}'?",
                     known[static_cast<std::size_t>(found - words.begin())].name);
}

}  // namespace tutti::base
