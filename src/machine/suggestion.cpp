// SPDX-License-Identifier: BSD-3-Clause
// Distance between words: letters to insert, to remove or to change.
#include "machine/suggestion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tutti::machine {
namespace {

constexpr std::size_t longest = 64;  // longer words are nobody's typing error

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    if (word.size() > longest) break;
    const std::size_t d = distance(word, candidate);
    if (d < least && d < candidate.size()) least = d, best = candidate;
  }
  if (!best.empty()) return fmt::format("; did you mean '{}'?", best);
  return fmt::format("; known are {}", fmt::join(known, ", "));
}

}  // namespace tutti::machine
