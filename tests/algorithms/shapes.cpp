// SPDX-License-Identifier: BSD-3-Clause
// Lists the shapes and roots of shapes.hpp.
#include "shapes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "schedule/printer.hpp"

namespace tutti {
namespace {

using schedule::Generator;
using schedule::Parameter;
using schedule::Shape;

constexpr int largest_p_of_everything = 16;

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

// Returns lists whose product is not p, for generators that divide unevenly.
std::vector<std::vector<int>> covering_lists(int p) {
  if (p < 3) return {};
  int side = 1;
  while (side * side < p) ++side;
  return {std::vector<int>(static_cast<std::size_t>(schedule::ceil_log2(p)), 2),
          {side, ceil_div(p, side)},
          {3, ceil_div(p, 3)},
          {ceil_div(p, 3), 3}};
}

bool in_sample(const std::vector<int>& list, int p, std::size_t index) {
  const bool uniform = std::equal(list.begin() + (list.empty() ? 0 : 1), list.end(), list.begin());
  return p <= largest_p_of_everything || uniform || index % 4 == static_cast<std::size_t>(p) % 4;
}

void add_factors(const Generator& g, int p, Shapes& shapes) {
  const bool cuts = g.parameter == Parameter::factors_and_cut;
  std::vector<std::vector<int>> lists = ordered_factorisations(p);
  const std::set<std::vector<int>> exact(lists.begin(), lists.end());
  for (std::vector<int>& list : covering_lists(p))
    if (!exact.contains(list)) lists.push_back(std::move(list));
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (cuts && !in_sample(lists[i], p, i)) continue;
    const std::vector<int>& factors = shapes.lists.emplace_back(lists[i]);
    for (int cut = 0; cut <= (cuts ? static_cast<int>(factors.size()) : 0); ++cut)
      shapes.all.push_back({.p = p, .factors = factors, .cut = cut});
  }
}

// Adds lists whose sum is p.
void add_sizes(int p, Shapes& shapes) {
  std::set<std::vector<int>> lists{{p}, std::vector<int>(static_cast<std::size_t>(p), 1)};
  if (p >= 2) lists.insert({{1, p - 1}, {p - 1, 1}, {p / 2, p - p / 2}});
  if (p >= 3) lists.insert({{p / 3, p - p / 3 - 1, 1}, {1, p - 2, 1}, {1, 1, p - 2}});
  for (const std::vector<int>& list : lists)
    shapes.all.push_back({.p = p, .factors = shapes.lists.emplace_back(list)});
}

bool same_programs(const Generator& g, Shape shape, int root) {
  Shape other = shape;
  shape.root = 0;
  other.root = root;
  if (g.rounds(shape) != g.rounds(other)) return false;
  for (int rank = 0; rank < shape.p; ++rank)
    if (build(g, shape, schedule::Rank{rank}) != build(g, other, schedule::Rank{rank}))
      return false;
  return true;
}

}  // namespace

Shapes shapes_of(const Generator& g, int p) {
  Shapes shapes;
  switch (g.parameter) {
    case Parameter::none:
      shapes.all.push_back({.p = p});
      break;
    case Parameter::branches:
      for (int k = 1; k <= largest_parameter; ++k) shapes.all.push_back({.p = p, .branches = k});
      break;
    case Parameter::rings:
      for (int k = 1; k <= largest_parameter; ++k) shapes.all.push_back({.p = p, .rings = k});
      break;
    case Parameter::segments:
      for (const int k : {1, 2, 3, 5, 8, 17}) shapes.all.push_back({.p = p, .segments = k});
      break;
    case Parameter::factors:
    case Parameter::factors_and_cut:
      add_factors(g, p, shapes);
      break;
    case Parameter::sizes:
      add_sizes(p, shapes);
      break;
  }
  std::erase_if(shapes.all, [&](const Shape& s) { return !g.applies(s); });
  return shapes;
}

std::vector<std::vector<int>> ordered_factorisations(int p) {
  if (p == 1) return {{}};
  std::vector<std::vector<int>> lists;
  for (int first = 2; first <= p; ++first) {
    if (p % first != 0) continue;
    for (std::vector<int>& rest : ordered_factorisations(p / first)) {
      rest.insert(rest.begin(), first);
      lists.push_back(std::move(rest));
    }
  }
  return lists;
}

std::vector<int> roots_of(const Generator& g, const Shape& s) {
  const bool many = g.parameter != Parameter::none && g.parameter != Parameter::branches &&
                    g.parameter != Parameter::rings;
  const bool some = (many && s.p > largest_p_of_everything) ||
                    (same_programs(g, s, s.p - 1) && same_programs(g, s, s.p / 2));
  std::vector<int> roots(static_cast<std::size_t>(s.p));
  std::iota(roots.begin(), roots.end(), 0);
  if (some && s.p > 3) roots = {0, s.p / 2, s.p - 1};
  return roots;
}

std::string full_name(const Generator& g) {
  return fmt::format("{} {}", schedule::to_text(g.operation), g.name);
}

std::string identifier(const Generator& g) {
  return fmt::format("{}_{}", schedule::to_text(g.operation), g.name);
}

std::string describe(const Generator& g, const Shape& s) {
  return fmt::format("{}, p={} root={} branches={} rings={} segments={} factors={} cut={}",
                     full_name(g), s.p, s.root, s.branches, s.rings, s.segments,
                     fmt::join(s.factors, "x"), s.cut);
}

}  // namespace tutti
