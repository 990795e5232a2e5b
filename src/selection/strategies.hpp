// SPDX-License-Identifier: BSD-3-Clause
// The hybrid strategies of a mesh and what they cost, as lines in the number of bytes. Functions
// here find which of them can be best at all, and from how many bytes on each of them is. A
// strategy is an ordered list of factors with a cut; the generators `hybrid`
// (algorithms/hybrid.hpp) run it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::selection {

// One step of splitting a group: into groups of `size` ranks along one dimension of the mesh.
// Dimension 0 runs along the rows, where neighbours have consecutive ranks; dimension 1 along the
// columns. A line has dimension 0 only.
struct Factor {
  int size = 1;
  int dimension = 0;
  friend bool operator==(const Factor&, const Factor&) = default;
};

// Coefficients of a line: alpha counts start-ups, beta and gamma multiples of the whole vector. The
// time of n bytes is alpha * (start-up) + beta * n * (time per byte) + gamma * n * (time to combine
// a byte). Terms that are counted on a network also have the links that messages pass one after the
// other, and the copies within a rank, in vectors.
struct Terms {
  double alpha = 0, beta = 0, gamma = 0;
  double hops = 0, copied = 0;
  friend bool operator==(const Terms&, const Terms&) = default;
};

// Times of a machine, in any one unit: per message, per byte moved, per byte combined, per link
// passed, per byte copied within a rank.
struct Rates {
  double alpha = 0, beta = 0, gamma = 0;
  double hop = 0, copy = 0;
};
[[nodiscard]] double time(const Terms& terms, const Rates& rates, double bytes);

// Rates between hosts, in units of the rates within one: for a start-up and for a byte.
struct RemoteRates {
  double alpha = 1, beta = 1;
};

struct Strategy {
  std::vector<Factor> factors;
  int cut = 0;    // the first `cut` factors use the long algorithms, the others the short ones
  int ranks = 0;  // ranks of a line, if fewer than the product of the factors

  // Returns the name, such as 4cx16r.8c. It has the factors in order, c along rows (dimension 0,
  // splits the columns), r along columns (dimension 1), any other dimension as d2, d3 ... Short
  // factors begin with a point. On a line the letters are left out: 4x8.2.
  [[nodiscard]] std::string name() const;
  // Returns Shape::factors of the strategy: factors with their dimensions (algorithms/hybrid.hpp).
  // Shape::cut is `cut`.
  [[nodiscard]] std::vector<int> shape_factors() const;
  friend bool operator==(const Strategy&, const Strategy&) = default;
};
// Returns the strategy of that name, or nothing.
[[nodiscard]] std::optional<Strategy> strategy_named(std::string_view name);

// Returns all strategies of a mesh of `rows` x `columns` ranks: every ordered list of factors of
// both extents, with every cut. `most` limits the factors per dimension; the list of twos is then
// there in addition where both extents are powers of two. A line of p ranks is 1 x p. One rank has
// the one empty strategy.
constexpr int any_number = 1 << 20;
[[nodiscard]] std::vector<Strategy> strategies(int rows, int columns, int most = any_number);

// Returns strategies for p ranks on a mesh of one dimension, where p has few divisors. Each has at
// most `most` factors, whose product exceeds p by about an eighth of p at most. So the first factor
// makes groups of two sizes (algorithms/hybrid.hpp).
[[nodiscard]] std::vector<Strategy> uneven_strategies(int p, int most = 3);

// Returns the cost of one of the seven operations of paper 001 by a strategy: broadcast, reduce,
// allreduce, scatter, gather, allgather or reduce_scatter. `kappa` is the bandwidth of a link over
// that of a node; messages of groups that lie interleaved on a line share its links. For kappa =
// infinity the cost is exact, and tests compare it with counted schedules.
//
// With uneven groups the cost is that of a rank that stands for two members and does everything
// beyond the first factor for both. If the rows of the mesh are hosts, messages along its columns
// go between hosts.
[[nodiscard]] Terms cost(schedule::Operation operation, const Strategy& strategy, double kappa = 1,
                         const RemoteRates& remote = {});

struct Candidate {
  Strategy strategy;
  Terms terms;
};
[[nodiscard]] std::vector<Candidate> candidates(schedule::Operation operation,
                                                std::span<const Strategy> strategies,
                                                double kappa = 1, const RemoteRates& remote = {});

// Returns the candidates that no other one equals or beats in all three terms, by rising alpha; of
// equal ones the first. Terms closer than rounding count as equal.
[[nodiscard]] std::vector<Candidate> pareto(std::vector<Candidate> candidates);
// Does what pareto() does for bare lines. Returns indices into `lines`.
[[nodiscard]] std::vector<std::size_t> pareto_of(std::span<const Terms> lines);

// A piece of the lower envelope over the bytes: line `line` is the best one from `from` bytes on,
// until the next piece begins.
struct EnvelopePiece {
  double from = 0;
  std::size_t line = 0;
};
[[nodiscard]] std::vector<EnvelopePiece> envelope(std::span<const Terms> lines, const Rates& rates);

}  // namespace tutti::selection
