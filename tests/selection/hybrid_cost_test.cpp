// SPDX-License-Identifier: BSD-3-Clause
// Compares the closed costs of the hybrids with the counts of the verifier for their schedules, and
// with the special cases in paper 001. Links must not be shared more than the costs say.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/registry.hpp"
#include "machine/topology.hpp"
#include "schedule/verifier.hpp"
#include "selection/contention.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {
namespace {

using schedule::ceil_log2;
using schedule::Operation;
using schedule::Shape;

constexpr Operation operations[] = {
    Operation::broadcast, Operation::reduce,    Operation::allreduce,     Operation::scatter,
    Operation::gather,    Operation::allgather, Operation::reduce_scatter};
constexpr double no_sharing = 1e9;  // kappa

const schedule::Generator& hybrid(Operation operation) {
  return *algorithms::find(operation, "hybrid");
}

void expect_terms(const Terms& terms, double alpha, double beta, double gamma) {
  EXPECT_NEAR(terms.alpha, alpha, 1e-9);
  EXPECT_NEAR(terms.beta, beta, 1e-9);
  EXPECT_NEAR(terms.gamma, gamma, 1e-9);
}

void expect_counted(Operation operation, const Strategy& strategy, int p, int root) {
  const std::vector<int> factors = strategy.shape_factors();
  const Shape shape{.p = p, .root = root, .factors = factors, .cut = strategy.cut};
  const schedule::Generator& g = hybrid(operation);
  ASSERT_TRUE(g.applies(shape)) << strategy.name();
  const schedule::Verdict verdict = schedule::verify(g, shape);
  SCOPED_TRACE(fmt::format("operation {}, {} on {} ranks, root {}", static_cast<int>(operation),
                           strategy.name(), p, root));
  ASSERT_TRUE(verdict.correct()) << verdict.problem;
  EXPECT_TRUE(verdict.one_port);
  const Terms terms = cost(operation, strategy, no_sharing);
  const double parts = g.buffers(shape).parts;
  expect_terms(terms, static_cast<double>(verdict.counts.alpha),
               static_cast<double>(verdict.counts.beta) / parts,
               static_cast<double>(verdict.counts.gamma) / parts);
  EXPECT_EQ(verdict.counts.alpha, verdict.counts.rounds);
}

TEST(HybridCost, EqualsWhatIsCountedOnSmallMeshes) {
  for (int p = 1; p <= 24; ++p) {
    for (int rows = 1; rows <= p; ++rows) {
      if (p % rows != 0) continue;
      for (const Strategy& strategy : strategies(rows, p / rows))
        for (const Operation operation : operations)
          expect_counted(operation, strategy, p, (p * 2) / 3);
    }
  }
}

TEST(HybridCost, EqualsWhatIsCountedOnLargerMeshes) {
  int which = 0;
  for (const auto& [rows, columns] :
       {std::pair{1, 30}, {5, 6}, {6, 10}, {7, 9}, {1, 64}, {8, 8}, {1, 97}, {16, 32}}) {
    const std::vector<Strategy> all = strategies(rows, columns);
    for (int i = 0; i < 12; ++i, ++which) {
      const Strategy& strategy = all[static_cast<std::size_t>(which) * 7919 % all.size()];
      expect_counted(operations[which % 7], strategy, rows * columns, which % (rows * columns));
    }
  }
}

// Ranks that represent two members do up to twice as much work beyond the first factor.
TEST(HybridCost, OfUnevenGroupsIsThatOfADoubledMember) {
  for (const int p : {7, 30, 60, 61, 63, 64, 97}) {
    const std::vector<Strategy> all = uneven_strategies(p);
    ASSERT_FALSE(all.empty());
    for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 20) {
      const std::vector<int> factors = all[i].shape_factors();
      const Shape shape{.p = p, .factors = factors, .cut = all[i].cut};
      for (const Operation operation : operations) {
        const schedule::Generator& g = hybrid(operation);
        ASSERT_TRUE(g.applies(shape)) << all[i].name();
        const schedule::Verdict verdict = schedule::verify(g, shape);
        ASSERT_TRUE(verdict.correct()) << all[i].name() << ": " << verdict.problem;
        const Terms terms = cost(operation, all[i], no_sharing);
        EXPECT_LE(static_cast<double>(verdict.counts.alpha), 1.1 * terms.alpha) << all[i].name();
        EXPECT_LE(static_cast<double>(verdict.counts.beta),
                  1.25 * terms.beta * g.buffers(shape).parts)
            << all[i].name();
      }
    }
  }
}

// By sections 3.1 and 3.2, one factor is the line. By section 3.3, one factor per dimension is the
// mesh.
TEST(HybridCost, EqualsThePaperOnLines) {
  for (const int p : {2, 6, 16, 31, 512}) {
    const double q = ceil_log2(p), part = (p - 1.0) / p;
    const Strategy shorts{{{p, 0}}, 0}, longs{{{p, 0}}, 1};
    expect_terms(cost(Operation::broadcast, shorts), q, q, 0);
    expect_terms(cost(Operation::reduce, shorts), q, q, q);
    expect_terms(cost(Operation::scatter, shorts), q, part, 0);
    expect_terms(cost(Operation::gather, shorts), q, part, 0);
    expect_terms(cost(Operation::allgather, shorts), 2 * q, part + q, 0);
    expect_terms(cost(Operation::reduce_scatter, shorts), 2 * q, part + q, q);
    expect_terms(cost(Operation::allreduce, shorts), 2 * q, 2 * q, q);
    expect_terms(cost(Operation::broadcast, longs), q + p - 1, 2 * part, 0);
    expect_terms(cost(Operation::scatter, longs), q, part, 0);
    expect_terms(cost(Operation::gather, longs), q, part, 0);
    expect_terms(cost(Operation::reduce, longs), q + p - 1, 2 * part, part);
    expect_terms(cost(Operation::allgather, longs), p - 1, part, 0);
    expect_terms(cost(Operation::reduce_scatter, longs), p - 1, part, part);
    expect_terms(cost(Operation::allreduce, longs), 2 * (p - 1), 2 * part, part);
  }
}

TEST(HybridCost, EqualsThePaperOnMeshes) {
  for (const auto& [r, c] : {std::pair{16, 32}, {5, 6}, {3, 7}}) {
    const double p = r * c, q = ceil_log2(r) + ceil_log2(c), part = (p - 1) / p;
    const Strategy shorts{{{c, 0}, {r, 1}}, 0}, longs{{{c, 0}, {r, 1}}, 2};
    expect_terms(cost(Operation::broadcast, shorts), q, q, 0);
    expect_terms(cost(Operation::reduce, shorts), q, q, q);
    expect_terms(cost(Operation::scatter, shorts), q, part, 0);
    expect_terms(cost(Operation::gather, shorts), q, part, 0);
    expect_terms(cost(Operation::allgather, shorts), 2 * q, part + q, 0);
    expect_terms(cost(Operation::reduce_scatter, shorts), 2 * q, part + q, q);
    expect_terms(cost(Operation::allreduce, shorts), 2 * q, 2 * q, q);
    expect_terms(cost(Operation::broadcast, longs), q + c + r - 2, 2 * part, 0);
    expect_terms(cost(Operation::scatter, longs), q, part, 0);
    expect_terms(cost(Operation::gather, longs), q, part, 0);
    expect_terms(cost(Operation::reduce, longs), q + c + r - 2, 2 * part, part);
    expect_terms(cost(Operation::allgather, longs), c + r - 2, part, 0);
    expect_terms(cost(Operation::reduce_scatter, longs), c + r - 2, part, part);
    expect_terms(cost(Operation::allreduce, longs), 2 * (c + r - 2), 2 * part, part);
  }
  const Terms terms = cost(Operation::broadcast, *strategy_named("32cx16r"));
  EXPECT_EQ(terms.alpha, 55);
  EXPECT_NEAR(terms.beta, 1.996, 0.0005);
}

// Recursive halving and doubling has 2 q start-ups.
TEST(HybridCost, OfTwosIsThatOfHalvingAndDoubling) {
  for (int q = 1; q <= 10; ++q) {
    const double p = std::pow(2, q), part = (p - 1) / p;
    const Strategy twos{std::vector<Factor>(static_cast<std::size_t>(q), Factor{2, 0}), q};
    expect_terms(cost(Operation::allreduce, twos, no_sharing), 2 * q, 2 * part, part);
    expect_terms(cost(Operation::broadcast, twos, no_sharing), 2 * q, 2 * part, 0);
    expect_terms(cost(Operation::allgather, twos, no_sharing), q, part, 0);
    expect_terms(cost(Operation::reduce_scatter, twos, no_sharing), q, part, part);
  }
}

// Messages are counted on the links of a mesh. Each round lasts as long as its busiest link.
TEST(HybridCost, LinksAreSharedNoMoreThanStated) {
  int equal = 0, all = 0;
  for (const auto& [rows, columns] : {std::pair{1, 16}, {1, 30}, {4, 8}, {5, 6}}) {
    const auto mesh = machine::parse_topology(fmt::format("mesh:{}x{}", rows, columns));
    const std::vector<Strategy> every = strategies(rows, columns);
    for (std::size_t i = 0; i < every.size(); i += 1 + every.size() / 60) {
      const std::vector<int> factors = every[i].shape_factors();
      const Shape shape{.p = rows * columns, .factors = factors, .cut = every[i].cut};
      for (const Operation operation : operations) {
        for (const double kappa : {1.0, 4.0}) {
          const double counted = shared_beta(hybrid(operation), shape, *mesh, kappa);
          const double stated = cost(operation, every[i], kappa).beta;
          EXPECT_LE(counted, stated + 1e-9)
              << every[i].name() << " operation " << static_cast<int>(operation);
          equal += std::abs(counted - stated) < 1e-9 ? 1 : 0;
          ++all;
        }
      }
    }
  }
  EXPECT_GT(equal, all / 2) << "of " << all;
}

}  // namespace
}  // namespace tutti::selection
