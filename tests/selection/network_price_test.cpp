// SPDX-License-Identifier: BSD-3-Clause
// Checks the price on networks: rounds that are said to be the same are, bounds are bounds, and
// counts are those that one finds by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/registry.hpp"
#include "schedule/block_count.hpp"
#include "schedule/printer.hpp"
#include "selection/contention.hpp"
#include "selection/explain.hpp"
#include "selection/names.hpp"
#include "selection/pricing.hpp"

namespace tutti::selection {
namespace {

using schedule::Do;
using schedule::Generator;
using schedule::Op;
using schedule::Operation;
using schedule::Shape;

// These networks are others than those that bench/regret_networks.py judges.
constexpr const char* networks[] = {
    "dragonfly:4x3x3", "torus:5x5",       "torus:3x3x4",         "mesh:4x8",    "mesh:3x3x3",
    "fattree:4x8",     "fattree:4x8/1x2", "fattree:3x3x3/1x2x1", "hypercube:5", "crossbar:24"};

Question question_of(Operation operation, int p) {
  Question question;
  question.operation = operation;
  question.p = p;
  return question;
}

// The work of a rank in a round: receivers and sizes of its messages, combined and copied blocks.
using Done = std::tuple<std::vector<std::pair<int, std::int64_t>>, std::int64_t, std::int64_t>;

Done done_by(const Generator& generator, const Shape& shape, int rank, int t) {
  schedule::Round round;
  generator.emit(round, shape, schedule::Rank{rank}, t);
  Done done;
  auto& [messages, combined, copied] = done;
  for (const Op& op : round.ops) {
    const std::int64_t blocks = schedule::block_count(op.blocks);
    if (op.what == Do::send) {
      for (int i = 0; i < op.to.count; ++i)
        if (const int to = op.to.first + i * op.to.stride; to != op.to.except)
          messages.emplace_back(to, blocks);
    } else if (op.what == Do::copy) {
      copied += blocks;
    } else if (op.what != Do::receive) {
      combined += blocks * (static_cast<std::int64_t>(op.operands.size()) - 1);
    }
  }
  std::sort(messages.begin(), messages.end());
  return done;
}

// Returns how many rounds stand for others.
int check_rounds(const Generator& generator, const Shape& shape) {
  int shared = 0;
  const int rounds = generator.rounds(shape);
  for (int t = 0; t < rounds; ++t) {
    const int like = generator.like(shape, t);
    if (like == t) continue;
    ++shared;
    EXPECT_EQ(generator.like(shape, like), like) << t;
    for (int rank = 0; rank < shape.p; ++rank) {
      EXPECT_EQ(done_by(generator, shape, rank, t), done_by(generator, shape, rank, like))
          << "p=" << shape.p << " round " << t << " like " << like << " rank " << rank;
      if (testing::Test::HasFailure()) return shared;
    }
  }
  return shared;
}

class EveryOperationOnNetworks : public testing::TestWithParam<int> {
 protected:
  static Operation operation() { return static_cast<Operation>(GetParam()); }
};

TEST_P(EveryOperationOnNetworks, HasTheRoundsThatItSaysAreTheSame) {
  for (int p = 1; p <= 64; p += p < 14 ? 1 : p < 30 ? 3 : 8) {
    Question question = question_of(operation(), p);
    question.root = p / 2;
    for (const Alternative& a : alternatives(question, {std::numeric_limits<double>::infinity()})) {
      if (a.generator->like == nullptr || a.settings.segments > 64) continue;
      check_rounds(*a.generator, a.settings.shape(p, question.root));
      ASSERT_FALSE(HasFailure()) << a.name;
    }
  }
}

// A plan is not counted if its bound is too high, so a bound must not exceed the count.
TEST_P(EveryOperationOnNetworks, HasBoundsBelowTheCounts) {
  for (const char* name : networks) {
    const auto network = machine::parse_topology(name);
    Question question = question_of(operation(), network->nodes());
    question.root = question.p - 1;
    for (const char* machine : {"slingshot-dragonfly", "paragon-nx", "sp2"}) {
      const Sharing sharing = sharing_of(machine::load(machine), network.get());
      const Pricing pricing(question, sharing);
      for (const Alternative& counted : alternatives(question, sharing)) {
        if (counted.basis == Basis::at_least) continue;
        Alternative bound = counted;
        ASSERT_TRUE(pricing.state(bound));
        ASSERT_LE(bound.terms.alpha, counted.terms.alpha * (1 + 1e-9)) << counted.name << name;
        ASSERT_LE(bound.terms.beta, counted.terms.beta * (1 + 1e-9)) << counted.name << name;
        ASSERT_LE(bound.terms.gamma, counted.terms.gamma * (1 + 1e-9)) << counted.name << name;
      }
    }
  }
}

// Returns places of p ranks: a mesh of so many rows, as many hosts of equal sizes, and for one row
// hosts of unequal sizes.
std::vector<Question> places_of(Operation operation, int p, int rows) {
  Question question = question_of(operation, p);
  question.root = p / 3;
  question.mesh = {rows, p / rows};
  std::vector<Question> places{question};
  Hosts hosts;
  for (int rank = 0; rank < p; ++rank)
    hosts.push_back(rows > 1 ? rank / (p / rows) : rank * rank / p * 3 / p);
  lay_on(places.emplace_back(question), hosts);
  return places;
}

// Returns how many hybrids are compared: about a hundred of the strategies on these rows.
int check_hybrids(const Generator& hybrid, const Question& question, int rows) {
  Sharing sharing = sharing_of(machine::load("host"));
  sharing.kappa = 1;
  const Pricing pricing(question, sharing);
  const std::vector<Strategy> all = strategies(rows, question.p / rows);
  int compared = 0;
  for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 100) {
    Settings settings;
    settings.factors = all[i].shape_factors();
    settings.cut = all[i].cut;
    Alternative bound{&hybrid, settings, all[i].name(), {}, {}};
    EXPECT_TRUE(pricing.state(bound));
    EXPECT_EQ(bound.basis, Basis::at_least);
    Alternative exact = bound;
    pricing.count(exact, 1 << 30);
    EXPECT_NE(exact.basis, Basis::at_least);
    for (double Terms::*term : {&Terms::alpha, &Terms::beta, &Terms::gamma}) {
      EXPECT_LE(bound.terms.*term, exact.terms.*term * (1 + 1e-9))
          << schedule::to_text(question.operation) << " " << bound.name << " p=" << question.p
          << " rows=" << rows << " hosts=" << host_count(question.hosts);
    }
    if (testing::Test::HasFailure()) return compared;
    ++compared;
  }
  return compared;
}

TEST_P(EveryOperationOnNetworks, HasBoundsOfHybridsBelowTheCounts) {
  const Generator* hybrid = algorithms::find(operation(), "hybrid");
  if (hybrid == nullptr) return;
  for (int p = 2; p <= 64; ++p) {
    for (int rows = 1; rows * rows <= p; ++rows) {
      if (p % rows != 0) continue;
      for (const Question& question : places_of(operation(), p, rows)) {
        EXPECT_GE(check_hybrids(*hybrid, question, rows), 1);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

// Where messages meet in ports only, counts are what the headers state.
TEST_P(EveryOperationOnNetworks, HasTheStatedTermsWhereNoLinkIsShared) {
  constexpr double no_conflicts = std::numeric_limits<double>::infinity();
  for (const int p : {2, 3, 7, 8, 12, 16, 25}) {
    const auto network = machine::parse_topology("crossbar:" + std::to_string(p));
    const Question question = question_of(operation(), p);
    for (const Alternative& stated : alternatives(question, {no_conflicts})) {
      if (stated.basis != Basis::formula || stated.settings.segments > 64) continue;
      const NetworkWays ways(*network, 0, {});
      const Terms found = counted(*stated.generator, stated.settings.shape(p), ways).terms;
      EXPECT_DOUBLE_EQ(found.alpha, stated.terms.alpha) << stated.name << " p=" << p;
      EXPECT_NEAR(found.beta, stated.terms.beta, 1e-9 * p) << stated.name << " p=" << p;
      EXPECT_NEAR(found.gamma, stated.terms.gamma, 1e-9 * p) << stated.name << " p=" << p;
    }
  }
}

std::string test_name(const testing::TestParamInfo<int>& tested) {
  return schedule::to_text(static_cast<Operation>(tested.param));
}

INSTANTIATE_TEST_SUITE_P(NetworkPrice, EveryOperationOnNetworks,
                         testing::Range(0, schedule::operation_kinds), test_name);

TEST(NetworkPrice, RingsAndPipelinesHaveFewDifferentRounds) {
  const auto rounds_that_differ = [](Operation operation, const char* name, int segments) {
    const Generator& generator = *algorithms::find(operation, name);
    Shape shape;
    shape.p = 32;
    shape.segments = segments;
    return generator.rounds(shape) - check_rounds(generator, shape);
  };
  EXPECT_EQ(rounds_that_differ(Operation::allreduce, "ring", 1), 2 + 1);
  EXPECT_EQ(rounds_that_differ(Operation::broadcast, "scatter_allgather", 1), 5 + 2);
  EXPECT_LE(rounds_that_differ(Operation::broadcast, "circulant", 256), 4 * 5);
}

Terms counted_on(const char* network, Operation operation, const char* name,
                 const NodeTimes& nodes) {
  const auto topology = machine::parse_topology(network);
  Shape shape;
  shape.p = topology->nodes();
  return counted(*algorithms::find(operation, name), shape, NetworkWays(*topology, 0.5, nodes))
      .terms;
}

// A recursive doubling on a ring of eight sends whole vectors over 1, 2 and 4 links; 1, 2 and 4 of
// them share a link, which is twice as fast as a port.
TEST(NetworkPrice, CountsLinksByHand) {
  const Terms found = counted_on("ring:8", Operation::allreduce, "bidirectional_exchange", {});
  EXPECT_EQ(found.alpha, 3);
  EXPECT_EQ(found.hops, 1 + 2 + 4);
  EXPECT_EQ(found.beta, 1 + 1 + 2);
  EXPECT_EQ(found.gamma, 3);
}

// The root sends seven messages one after the other. With a port for each link, it sends them at
// once; they share the link to the root's switch.
TEST(NetworkPrice, CountsPorts) {
  const Terms one = counted_on("crossbar:8", Operation::broadcast, "fully_connected", {});
  EXPECT_EQ(one.alpha, 7);
  EXPECT_EQ(one.beta, 7);
  const Terms fast = counted_on("crossbar:8", Operation::broadcast, "fully_connected",
                                {machine::Ports::duplex, 0.5, 1, 1, 1});
  EXPECT_EQ(fast.alpha, 1 + 6 * 0.5);
  const Terms all = counted_on("crossbar:8", Operation::broadcast, "fully_connected",
                               {machine::Ports::unlimited, 1, 1, 1, 1});
  EXPECT_EQ(all.alpha, 1);
  EXPECT_EQ(all.beta, 7 * 0.5);
  const Terms half = counted_on("ring:2", Operation::allreduce, "bidirectional_exchange",
                                {machine::Ports::half, 1, 1, 1, 1});
  EXPECT_EQ(half.alpha, 2);
  EXPECT_EQ(half.beta, 2);
}

// Several plans cost the same on a crossbar: the one whose partners have the nearest numbers is
// taken.
TEST(NetworkPrice, TiesGoToNearPartners) {
  const auto network = machine::parse_topology("crossbar:16");
  const Explanation e =
      explain(question_of(Operation::allgather, 16), 1 << 20, machine::load("sp2"), network.get());
  const double least = e.rows[0].alternative.distance;
  std::size_t same = 0, farther = 0;
  for (; same < e.rows.size() && e.rows[same].time == e.rows[0].time; ++same)
    farther += e.rows[same].alternative.distance > least ? 1 : 0;
  EXPECT_GE(farther, 1U);
  for (std::size_t i = 0; i < same; ++i) EXPECT_GE(e.rows[i].alternative.distance, least);
}

// Beyond the limit, plans are told from others: they cost at least their bound.
TEST(NetworkPrice, SaysWhatItHasNotCounted) {
  const auto network = machine::parse_topology("torus:64x64");
  const Explanation e = explain(question_of(Operation::alltoall, 4096), 1 << 20,
                                machine::load("slingshot-dragonfly"), network.get());
  const auto pairwise = std::find_if(e.rows.begin(), e.rows.end(), [](const Row& row) {
    return row.alternative.name == "pairwise";
  });
  ASSERT_NE(pairwise, e.rows.end());
  EXPECT_EQ(pairwise->alternative.basis, Basis::at_least);
  EXPECT_EQ(e.rows[0].alternative.basis, Basis::counted);
}

}  // namespace
}  // namespace tutti::selection
