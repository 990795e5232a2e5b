// SPDX-License-Identifier: BSD-3-Clause
// Enumerates shapes and collects the verifier's results.
#include "verify/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/adopted.hpp"
#include "base/error.hpp"
#include "selection/formula.hpp"
#include "selection/headers.hpp"
#include "support/request.hpp"

namespace tutti::tools {
namespace {

using schedule::Generator;
using schedule::Operation;
using schedule::Parameter;
using schedule::Placement;
using schedule::Shape;
using schedule::Verdict;

constexpr int most_lists = 40;  // most lists of factors for one p

// Appends the ordered factorisations of p into factors of at least 2, short lists first.
void append_factorisations(int p, std::vector<int>& head, std::deque<std::vector<int>>& out) {
  if (p == 1) return out.push_back(head);
  for (int factor = p; factor >= 2 && static_cast<int>(out.size()) < most_lists; --factor) {
    if (p % factor != 0) continue;
    head.push_back(factor);
    append_factorisations(p / factor, head, out);
    head.pop_back();
  }
}

// Appends all splits of the ranks into two hosts, and the split into hosts of one rank.
void append_sizes(int p, std::deque<std::vector<int>>& out) {
  for (int first = 1; first < p && first < most_lists; ++first) out.push_back({first, p - first});
  out.emplace_back(static_cast<std::size_t>(p), 1);
}

// Returns the shapes for p ranks, without roots. `lists` owns the factors that the shapes refer to.
std::vector<Shape> shapes_of(const Generator& g, int p, const Range& range,
                             std::deque<std::vector<int>>& lists) {
  const Shape plain = range.settings.shape(p), standard{.p = p};
  std::vector<Shape> shapes{plain};
  const auto vary = [&](int Shape::*field, std::initializer_list<int> values) {
    if (range.only_these || plain.*field != standard.*field) return;
    shapes.clear();
    for (const int value : values) (shapes.emplace_back(plain)).*field = value;
  };
  if (g.parameter == Parameter::branches) vary(&Shape::branches, {1, 2, 3, 4, 9});
  if (g.parameter == Parameter::rings) vary(&Shape::rings, {1, 2, 3, 4, 9});
  if (g.parameter == Parameter::segments) vary(&Shape::segments, {1, 2, 3, 8});
  const bool cuts = g.parameter == Parameter::factors_and_cut,
             sizes = g.parameter == Parameter::sizes;
  if ((cuts || sizes || g.parameter == Parameter::factors) && plain.factors.empty() &&
      !range.only_these) {
    std::vector<int> head;
    sizes ? append_sizes(p, lists) : append_factorisations(p, head, lists);
    shapes.clear();
    for (const std::vector<int>& list : lists) {
      for (int cut = 0; cut <= (cuts ? static_cast<int>(list.size()) : 0); ++cut) {
        shapes.push_back(plain);
        shapes.back().factors = list;
        shapes.back().cut = cut;
      }
    }
  }
  return shapes;
}

std::set<int> roots_of(const Generator& g, int p, const Range& range) {
  if (!has_root(g.operation) && !range.all_roots) return {0};
  if (range.root >= 0) return range.root < p ? std::set<int>{range.root} : std::set<int>{};
  if (!range.all_roots) return {0, p / 2, p - 1};
  std::set<int> roots;
  for (int root = 0; root < p; ++root) roots.insert(root);
  return roots;
}

// Returns how the counts differ from those in the algorithm's header, or an empty text. For one
// rank, and for costs that the header does not state, the counts must be 0.
std::string cost_problem(const selection::CostFormulas& costs, const Shape& shape,
                         const schedule::Counts& c) {
  const std::initializer_list<std::pair<const char*, std::int64_t>> counted{
      {"rounds", c.rounds},     {"messages", c.messages}, {"volume", c.volume},
      {"combines", c.combines}, {"alpha", c.alpha},       {"beta", c.beta},
      {"gamma", c.gamma}};
  const selection::Variables variables = selection::variables_of(shape);
  for (const auto& [name, count] : counted) {
    const auto given = costs.given().find(name);
    const bool stated = shape.p > 1 && given != costs.given().end();
    const std::int64_t formula = stated ? costs.evaluate(name, variables).number : 0;
    const bool bound = stated && given->second.bound;
    if (bound ? count > formula : count != formula)
      return fmt::format("{} is {}, but the header of the algorithm states {}{}", name, count,
                         bound ? "at most " : "", formula);
  }
  return "";
}

// Returns how the counts differ from the cost that a registered generator states, or an empty text.
std::string price_problem(const Generator& g, const Shape& shape, const schedule::Counts& c) {
  const algorithms::Source* source = algorithms::source_of(g);
  const auto price = source == nullptr ? std::nullopt : source->price(shape);
  if (!price) return "";
  const double parts = std::max(1, g.buffers(shape).parts);
  constexpr double rounding = 1e-9;
  for (const auto& [name, count, stated] :
       {std::tuple("alpha", static_cast<double>(c.alpha), price->alpha),
        std::tuple("beta", static_cast<double>(c.beta) / parts, price->beta),
        std::tuple("gamma", static_cast<double>(c.gamma) / parts, price->gamma)}) {
    if (!(std::abs(count - stated) <= rounding * (1 + count)))
      return fmt::format("{} is {:.6g}, but its function cost() says {:.6g}", name, count, stated);
  }
  return "";
}

void refute(SweepResult& result, const Generator& g, const Shape& shape, const Verdict& verdict,
            const std::string& problem) {
  const char* placed = verdict.placement == Placement::in_place ? ", in place" : "";
  result.problem = fmt::format("{}{}: {}", describe(g, shape), placed, problem);
  result.wrong = CounterExample{shown_name(g, settings_of_shape(g, shape)),
                                shape.p,
                                shape.root,
                                verdict.placement,
                                verdict.round,
                                verdict.rank,
                                problem};
}

void add(SweepResult& result, const Generator& g, const Shape& shape,
         const std::optional<selection::CostFormulas>& costs) {
  ++result.shapes;
  if (result.ranks.empty() || result.ranks.back() != shape.p) result.ranks.push_back(shape.p);
  const Verdict verdict = schedule::verify(g, shape);
  std::string problem = verdict.problem;
  if (verdict.correct() && costs) problem = cost_problem(*costs, shape, verdict.counts);
  if (verdict.correct() && !costs) problem = price_problem(g, shape, verdict.counts);
  if (!problem.empty()) return refute(result, g, shape, verdict, problem);
  result.one_port.add(verdict.one_port);
  if (combines(g.operation)) {
    result.same_tree.add(verdict.same_tree);
    result.canonical.add(verdict.canonical);
    result.rank_order.add(verdict.rank_order);
  }
  const schedule::Buffers buffers = g.buffers(shape);
  if (g.in_place && buffers.input > 0 && buffers.output > 0) {
    result.in_place = true;
    const Verdict in_place = schedule::verify(g, shape, Placement::in_place);
    if (!in_place.correct()) refute(result, g, shape, in_place, in_place.problem);
  }
  result.largest = describe(g, shape);
  result.counts = verdict.counts;
  result.p = shape.p;
  result.parts = buffers.parts;
}

// Does what add() does for a generator whose schedule may be refused when it is made.
void add_or_refuse(SweepResult& result, const Generator& g, const Shape& shape,
                   const std::optional<selection::CostFormulas>& costs) {
  try {
    add(result, g, shape, costs);
  } catch (const base::Error& error) {
    result.problem = error.what();
  }
}

}  // namespace

const char* Tally::text() const {
  if (yes_) return no_ ? "sometimes" : "always";
  return no_ ? "never" : "-";
}

SweepResult sweep(const Generator& generator, const Range& range, const SweepWatch& watch) {
  SweepResult result;
  result.generator = &generator;
  std::optional<selection::CostFormulas> costs;
  if (const selection::AlgorithmHeader* header = selection::header_of(generator))
    costs.emplace(header->cost);
  for (const int p : range.ranks) {
    if (watch.progress) watch.progress(p);
    std::deque<std::vector<int>> lists;
    for (Shape shape : shapes_of(generator, p, range, lists)) {
      for (const int root : roots_of(generator, p, range)) {
        shape.root = root;
        if (!generator.applies(shape)) continue;
        add_or_refuse(result, generator, shape, costs);
        if (!result.correct()) return result;
        if (watch.shape) watch.shape(shape);
      }
    }
  }
  return result;
}

}  // namespace tutti::tools
