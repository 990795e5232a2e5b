// SPDX-License-Identifier: BSD-3-Clause
// Tests the enumeration of strategies, the selection of those that can be best, and the sizes from
// which on they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "selection/strategies.hpp"

namespace tutti::selection {
namespace {

using schedule::Operation;

std::vector<Terms> terms_of(const std::vector<Candidate>& candidates) {
  std::vector<Terms> terms;
  for (const Candidate& candidate : candidates) terms.push_back(candidate.terms);
  return terms;
}

std::size_t lists_of(const std::vector<Strategy>& all) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const auto& s) { return s.cut == 0; }));
}

TEST(Strategies, OfAMeshOf16x32) {
  const std::vector<Strategy> all = strategies(16, 32);
  EXPECT_EQ(lists_of(all), 2329U);
  EXPECT_EQ(all.size(), 17658U);
  EXPECT_EQ(pareto(candidates(Operation::broadcast, all)).size(), 23U);
  EXPECT_EQ(pareto(candidates(Operation::allreduce, all)).size(), 18U);
}

TEST(Strategies, OfSmallMeshes) {
  EXPECT_EQ(lists_of(strategies(6, 5)), 8U);
  EXPECT_EQ(pareto(candidates(Operation::broadcast, strategies(6, 5))).size(), 8U);
  EXPECT_EQ(strategies(1, 1).size(), 1U);
  EXPECT_EQ(strategies(1, 97).size(), 2U);
  for (const Strategy& s : strategies(3, 4)) EXPECT_EQ(strategy_named(s.name()), s) << s.name();
}

TEST(Strategies, CanBeCapped) {
  const std::vector<Strategy> one = strategies(16, 32, 1);
  EXPECT_EQ(lists_of(one), 3U);  // rows or columns first, and the twos
  const std::vector<Strategy> three = strategies(16, 32, 3);
  for (const Strategy& s : three) {
    for (const int dimension : {0, 1}) {
      const auto mine = [&](const Factor& f) { return f.dimension == dimension; };
      const bool twos = std::all_of(s.factors.begin(), s.factors.end(),
                                    [](const Factor& f) { return f.size == 2; });
      EXPECT_TRUE(twos || std::count_if(s.factors.begin(), s.factors.end(), mine) <= 3) << s.name();
    }
  }
  EXPECT_TRUE(std::any_of(three.begin(), three.end(),
                          [](const Strategy& s) { return s.factors.size() == 9; }));
}

TEST(Strategies, Names) {
  const Strategy strategy{{{4, 0}, {16, 1}, {8, 0}}, 2};
  EXPECT_EQ(strategy.name(), "4cx16r.8c");
  EXPECT_EQ((Strategy{{{4, 0}, {8, 0}}, 2}).name(), "4x8");
  EXPECT_EQ((Strategy{{{4, 0}, {8, 0}}, 0}).name(), ".4.8");
  EXPECT_EQ(Strategy{}.name(), "");
  EXPECT_EQ(strategy_named("4cx16r.8c"), strategy);
  EXPECT_EQ(strategy_named("2d2x3"), (Strategy{{{2, 2}, {3, 0}}, 2}));
  for (const char* wrong : {"4c16r", "x4", "4x", "4.8x2", "1", "4q", "-4", "4cx.8r", "99999999999"})
    EXPECT_FALSE(strategy_named(wrong)) << wrong;
}

TEST(Strategies, ThatAreUnevenCoverP) {
  for (const Strategy& s : uneven_strategies(97)) {
    int product = 1;
    for (const Factor& f : s.factors) product *= f.size;
    EXPECT_GT(product, 97) << s.name();
    EXPECT_LE(product, 110) << s.name();
    EXPECT_LE(s.factors.size(), 3U) << s.name();
  }
}

TEST(Pareto, KeepsWhatNothingBeats) {
  const std::vector<Terms> lines{{1, 5, 0}, {2, 5, 0},         {2, 4, 1},
                                 {1, 5, 0}, {3, 4, 1 + 1e-13}, {4, 1, 0}};
  EXPECT_EQ(pareto_of(lines), (std::vector<std::size_t>{0, 2, 5}));
  EXPECT_TRUE(pareto_of({}).empty());
}

// Every line that is kept is the best for some rates and bytes, or no other line beats it. No
// dropped line is better anywhere.
TEST(Pareto, LosesNoWinner) {
  const std::vector<Candidate> all = candidates(Operation::allreduce, strategies(4, 8), 2);
  const std::vector<Terms> kept = terms_of(pareto(all));
  for (const Rates& rates : {Rates{160, .022, .12}, {50, .1, .01}, {1, 1, 1}, {1000, .001, 0}}) {
    for (double bytes = 1; bytes < 1e8; bytes *= 3) {
      const auto shortest = [&](const std::vector<Terms>& lines) {
        double best = time(lines.front(), rates, bytes);
        for (const Terms& line : lines) best = std::min(best, time(line, rates, bytes));
        return best;
      };
      EXPECT_NEAR(shortest(kept), shortest(terms_of(all)), 1e-6 * shortest(kept));
    }
  }
}

TEST(Envelope, IsBestEverywhere) {
  const std::vector<Terms> lines =
      terms_of(pareto(candidates(Operation::broadcast, strategies(16, 32))));
  const Rates rates{160, .022, .12};
  const std::vector<EnvelopePiece> pieces = envelope(lines, rates);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double end = i + 1 < pieces.size() ? pieces[i + 1].from : 2 * pieces[i].from + 1;
    const double bytes = (pieces[i].from + end) / 2;
    for (const Terms& line : lines)
      EXPECT_LE(time(lines[pieces[i].line], rates, bytes), time(line, rates, bytes) * (1 + 1e-12));
  }
  EXPECT_TRUE(envelope({}, rates).empty());
  // The three lines pass through one point, so the middle one is nowhere the best.
  EXPECT_EQ(envelope(std::vector<Terms>{{0, 3, 0}, {1, 2, 0}, {2, 1, 0}}, {1, 1, 1}).size(), 2U);
}

struct Expected {
  const char* strategy;
  double from;
};

// Compares the pieces with expected ones (docs/internals/algorithms.md, "Factors of hybrids").
void expect_pieces(Operation operation, std::size_t count, const std::vector<Expected>& expected) {
  const std::vector<Candidate> best = pareto(candidates(operation, strategies(16, 32)));
  const std::vector<EnvelopePiece> pieces = envelope(terms_of(best), {160, .022, .12});
  EXPECT_EQ(pieces.size(), count);
  for (const auto& [name, from] : expected) {
    const Terms terms = cost(operation, *strategy_named(name));
    const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const EnvelopePiece& p) {
      const Terms& other = best[p.line].terms;
      return pareto_of(std::vector<Terms>{terms, other}).size() == 1 &&
             pareto_of(std::vector<Terms>{other, terms}).size() == 1 &&
             std::abs(terms.beta - other.beta) < 1e-9;
    });
    ASSERT_NE(piece, pieces.end()) << name;
    EXPECT_NEAR(piece->from, from, 0.5) << name;
  }
}

TEST(Envelope, OfBroadcastOn16x32) {
  expect_pieces(Operation::broadcast, 16,
                {{".32c.16r", 0},
                 {"2r.32c.8r", 2909},
                 {"2cx4rx2cx2r.8c.2r", 29091},
                 {"4cx4rx4r.8c", 58182},
                 {"16r.32c", 232727},
                 {"4cx16rx8c", 698182},
                 {"32cx16r", 2127792}});
}

TEST(Envelope, OfAllreduceOn16x32) {
  expect_pieces(Operation::allreduce, 7,
                {{"2cx2rx2cx2rx2cx2rx2cx2rx2c", 0}, {"4cx16rx8c", 930909}, {"32cx16r", 3723636}});
}

}  // namespace
}  // namespace tutti::selection
