// SPDX-License-Identifier: BSD-3-Clause
// The closed costs of the hybrids (paper 001, 3.3 and 3.4), and the choice among cost lines.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "selection/strategies.hpp"

namespace tutti::selection {
namespace {

using schedule::Operation;

// The cost that one factor adds. `left` is the part of the vector that the factors before it have
// left. `sharing` is how many times longer a byte takes because links are shared.
struct Step {
  double rounds_of_tree, rounds_of_ring, left, sharing;
  double parts() const { return left * rounds_of_ring / (rounds_of_ring + 1); }
  Terms tree(double bytes) const { return {rounds_of_tree, rounds_of_tree * bytes * sharing, 0}; }
  Terms tree_of_parts() const { return {rounds_of_tree, parts() * sharing, 0}; }
  Terms ring() const { return {rounds_of_ring, parts() * sharing, 0}; }
};

Terms operator+(Terms a, const Terms& b) {
  return {a.alpha + b.alpha, a.beta + b.beta, a.gamma + b.gamma};
}
Terms operator*(double factor, const Terms& t) {
  return {factor * t.alpha, factor * t.beta, factor * t.gamma};
}

// Returns true for the operations that are a tree of parts along every factor, long or short.
bool is_tree_of_parts(Operation operation) {
  return operation == Operation::scatter || operation == Operation::gather;
}

// Returns the cost of a long factor: of cutting the vector into parts, of joining them, or of both.
Terms long_terms(Operation operation, const Step& step) {
  const Terms combining{0, 0, combines(operation) ? step.parts() : 0};
  switch (operation) {
    case Operation::broadcast:
    case Operation::reduce:
      return step.tree_of_parts() + step.ring() + combining;
    case Operation::allreduce:
      return 2 * step.ring() + combining;
    default:
      return step.ring() + combining;
  }
}

// Returns the cost of a short factor, which works on the `bytes` that the long ones leave. In trees
// that move all of it, only one rank of those that differ in earlier short factors takes part. So
// these trees share no more links than the long factors make them share.
Terms short_terms(Operation operation, const Step& step, double bytes, double long_sharing) {
  const Step whole{step.rounds_of_tree, step.rounds_of_ring, step.left, long_sharing};
  const Terms combining{0, 0, combines(operation) ? step.rounds_of_tree * bytes : 0};
  switch (operation) {
    case Operation::broadcast:
    case Operation::reduce:
      return whole.tree(bytes) + combining;
    case Operation::allreduce:
      return 2 * whole.tree(bytes) + combining;
    default:
      return step.tree_of_parts() + whole.tree(bytes) + combining;
  }
}

// Returns the distance of the ranks of a factor's groups along its dimension, counting the first
// `before` factors.
double stride(const Strategy& s, std::size_t factor, std::size_t before) {
  double distance = 1;
  for (std::size_t i = 0; i < before; ++i)
    if (s.factors[i].dimension == s.factors[factor].dimension) distance *= s.factors[i].size;
  return distance;
}

// Rounds terms, so that terms that differ by rounding compare equal.
std::tuple<std::int64_t, std::int64_t, std::int64_t> key(const Terms& t) {
  constexpr double units = 1e9;
  return {std::llround(t.alpha * units), std::llround(t.beta * units),
          std::llround(t.gamma * units)};
}

double time_of_byte(const Terms& terms, const Rates& rates) {
  return terms.beta * rates.beta + terms.gamma * rates.gamma + terms.copied * rates.copy;
}

}  // namespace

double time(const Terms& terms, const Rates& rates, double bytes) {
  return terms.alpha * rates.alpha + terms.hops * rates.hop + bytes * time_of_byte(terms, rates);
}

Terms cost(Operation operation, const Strategy& s, double kappa, const RemoteRates& remote) {
  const auto cut = static_cast<std::size_t>(s.cut);
  double bytes = 1, members = 1;  // bytes: what the long factors leave of the vector
  for (std::size_t i = 0; i < s.factors.size(); ++i) {
    members *= s.factors[i].size;
    if (i < cut) bytes /= s.factors[i].size;
  }
  const bool uneven =
      s.ranks != 0 && s.ranks < members && (s.cut > 0 || is_tree_of_parts(operation));
  Terms total;
  double left = 1;
  for (std::size_t i = 0; i < s.factors.size(); ++i) {
    const int size = s.factors[i].size;
    const Step step{static_cast<double>(schedule::ceil_log2(size)), size - 1.0, left,
                    std::max(1.0, stride(s, i, i) / kappa)};
    const double twice = uneven && i > 0 ? 2 : 1;
    Terms added =
        is_tree_of_parts(operation) ? step.tree_of_parts()
        : i < cut                   ? long_terms(operation, step)
                  : short_terms(operation, step, bytes, std::max(1.0, stride(s, i, cut) / kappa));
    if (s.factors[i].dimension == 1)
      added = {added.alpha * remote.alpha, added.beta * remote.beta, added.gamma};
    total = total + twice * added;
    left /= size;
  }
  return total;
}

std::vector<Candidate> candidates(Operation operation, std::span<const Strategy> strategies,
                                  double kappa, const RemoteRates& remote) {
  std::vector<Candidate> made;
  made.reserve(strategies.size());
  for (const Strategy& strategy : strategies)
    made.push_back({strategy, cost(operation, strategy, kappa, remote)});
  return made;
}

std::vector<std::size_t> pareto_of(std::span<const Terms> lines) {
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return key(lines[a]) < key(lines[b]); });
  std::vector<std::size_t> kept;
  for (const std::size_t i : order) {
    const auto [alpha, beta, gamma] = key(lines[i]);
    const bool beaten =
        std::any_of(kept.begin(), kept.end(), [&, b = beta, g = gamma](std::size_t k) {
          return std::get<1>(key(lines[k])) <= b && std::get<2>(key(lines[k])) <= g;
        });
    if (!beaten) kept.push_back(i);
  }
  return kept;
}

std::vector<Candidate> pareto(std::vector<Candidate> candidates) {
  std::vector<Terms> lines;
  for (const Candidate& candidate : candidates) lines.push_back(candidate.terms);
  std::vector<Candidate> kept;
  for (const std::size_t i : pareto_of(lines)) kept.push_back(std::move(candidates[i]));
  return kept;
}

// Builds the envelope from the line that is best for no bytes at all, and always goes on to the
// line that undercuts it first. Where several do so at the same place, it takes the flattest of
// them.
std::vector<EnvelopePiece> envelope(std::span<const Terms> lines, const Rates& rates) {
  if (lines.empty()) return {};
  const auto at = [&](std::size_t i) { return time(lines[i], rates, 0); };
  const auto slope = [&](std::size_t i) { return time_of_byte(lines[i], rates); };
  constexpr double rounding = 1e-9;
  EnvelopePiece piece;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (std::pair(at(i), slope(i)) < std::pair(at(piece.line), slope(piece.line))) piece.line = i;
  std::vector<EnvelopePiece> pieces{piece};
  for (;;) {
    EnvelopePiece next{std::numeric_limits<double>::infinity(), piece.line};
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (slope(i) >= slope(piece.line) * (1 - rounding)) continue;
      const double from = (at(i) - at(piece.line)) / (slope(piece.line) - slope(i));
      const bool same_place = std::abs(from - next.from) <= rounding * from;
      if (same_place ? slope(i) < slope(next.line) : from < next.from) next = {from, i};
    }
    if (next.line == piece.line) return pieces;
    pieces.push_back(piece = next);
  }
}

}  // namespace tutti::selection
