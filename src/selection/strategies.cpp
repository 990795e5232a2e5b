// SPDX-License-Identifier: BSD-3-Clause
// Enumerates strategies, and writes and reads their names.
#include "selection/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "algorithms/hybrid.hpp"

namespace tutti::selection {
namespace {

using Factors = std::vector<Factor>;

// Returns all ways to write n as an ordered product of at most `most` factors, each 2 or more and
// along `dimension`.
std::vector<Factors> compositions(int n, int dimension, int most) {
  if (n == 1) return {{}};
  std::vector<Factors> lists;
  for (int first = 2; first <= n && most > 0; ++first) {
    if (n % first != 0) continue;
    for (const Factors& rest : compositions(n / first, dimension, most - 1)) {
      Factors& list = lists.emplace_back(Factors{{first, dimension}});
      list.insert(list.end(), rest.begin(), rest.end());
    }
  }
  return lists;
}

// Appends all merges of two lists that keep the order of each.
void interleave(const Factors& a, std::size_t i, const Factors& b, std::size_t j, Factors& made,
                std::vector<Factors>& all) {
  if (i == a.size() && j == b.size()) all.push_back(made);
  for (const bool from_a : {true, false}) {
    if (from_a ? i == a.size() : j == b.size()) continue;
    made.push_back(from_a ? a[i] : b[j]);
    interleave(a, i + (from_a ? 1 : 0), b, j + (from_a ? 0 : 1), made, all);
    made.pop_back();
  }
}

std::vector<Factors> interleavings(const std::vector<Factors>& columns,
                                   const std::vector<Factors>& rows) {
  std::vector<Factors> all;
  Factors made;
  for (const Factors& a : columns)
    for (const Factors& b : rows) interleave(a, 0, b, 0, made, all);
  return all;
}

bool is_power_of_two(int n) {
  return (n & (n - 1)) == 0;
}

// Returns one list of twos per dimension, in place of all their interleavings. The columns come
// first, as the ranks are numbered.
Factors twos(int rows, int columns) {
  Factors list;
  for (int n = columns; n > 1; n /= 2) list.push_back({2, 0});
  for (int n = rows; n > 1; n /= 2) list.push_back({2, 1});
  return list;
}

std::vector<Strategy> with_cuts(std::vector<Factors> lists, int ranks) {
  std::stable_sort(lists.begin(), lists.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::vector<Strategy> made;
  for (const Factors& list : lists)
    for (int cut = 0; cut <= static_cast<int>(list.size()); ++cut)
      made.push_back({list, cut, ranks});
  return made;
}

std::string letters_of(int dimension) {
  return dimension == 0 ? "c" : dimension == 1 ? "r" : fmt::format("d{}", dimension);
}

// Takes a number off the front of the text.
std::optional<int> number(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// Takes the letters of a dimension off the front of the text; no letters stand for dimension 0.
std::optional<int> dimension(std::string_view& text) {
  if (text.empty()) return 0;
  const char letter = text.front();
  if (letter != 'c' && letter != 'r' && letter != 'd') return 0;
  text.remove_prefix(1);
  if (letter != 'd') return letter == 'c' ? 0 : 1;
  return number(text);
}

}  // namespace

std::string Strategy::name() const {
  const bool line =
      std::all_of(factors.begin(), factors.end(), [](const Factor& f) { return f.dimension == 0; });
  std::string text;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const bool is_short = static_cast<int>(i) >= cut;
    text += is_short ? "." : text.empty() ? "" : "x";
    text += fmt::format("{}{}", factors[i].size, line ? "" : letters_of(factors[i].dimension));
  }
  return text;
}

std::optional<Strategy> strategy_named(std::string_view name) {
  Strategy strategy;
  while (!name.empty()) {
    const bool is_short = name.front() == '.';
    const bool first = strategy.factors.empty();
    if (is_short || (!first && name.front() == 'x')) {
      name.remove_prefix(1);
    } else if (!first) {
      return std::nullopt;
    }
    if (!is_short && strategy.cut < static_cast<int>(strategy.factors.size())) return std::nullopt;
    const auto size = number(name);
    const auto along = size ? dimension(name) : std::nullopt;
    if (!along || *size < 2) return std::nullopt;
    strategy.factors.push_back({*size, *along});
    strategy.cut += is_short ? 0 : 1;
  }
  return strategy;
}

std::vector<int> Strategy::shape_factors() const {
  std::vector<int> list;
  for (const Factor& factor : factors)
    list.push_back(algorithms::along(factor.dimension, factor.size));
  return list;
}

std::vector<Strategy> strategies(int rows, int columns, int most) {
  std::vector<Factors> lists =
      interleavings(compositions(columns, 0, most), compositions(rows, 1, most));
  const Factors all_twos = twos(rows, columns);
  if (is_power_of_two(rows) && is_power_of_two(columns) &&
      std::find(lists.begin(), lists.end(), all_twos) == lists.end())
    lists.push_back(all_twos);
  return with_cuts(std::move(lists), 0);
}

std::vector<Strategy> uneven_strategies(int p, int most) {
  std::vector<Factors> lists;
  // The recursion chooses all factors but the first, which is as large as it has to be.
  const auto extend = [&](const auto& self, const Factors& rest, int groups) -> void {
    const int first = (p + groups - 1) / groups;
    const std::int64_t product = std::int64_t{first} * groups;
    if (product > p && 8 * (product - p) < p + 8) {
      Factors& list = lists.emplace_back(Factors{{first, 0}});
      list.insert(list.end(), rest.begin(), rest.end());
    }
    if (static_cast<int>(rest.size()) + 1 == most) return;
    for (int size = 2; 2 * std::int64_t{groups} * size <= p; ++size) {
      Factors longer = rest;
      longer.push_back({size, 0});
      self(self, longer, groups * size);
    }
  };
  extend(extend, {}, 1);
  return with_cuts(std::move(lists), p);
}

}  // namespace tutti::selection
