// SPDX-License-Identifier: BSD-3-Clause
// Tests prices and choices for ranks on several hosts.
#include "selection/hosts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "algorithms/registry.hpp"
#include "schedule/printer.hpp"
#include "selection/choose.hpp"
#include "selection/contention.hpp"
#include "selection/explain.hpp"
#include "selection/names.hpp"

namespace tutti::selection {
namespace {

using schedule::Operation;

constexpr RemoteRates ten_times{100, 10};

Terms terms_of(Operation operation, const char* name, const Hosts& hosts,
               const RemoteRates& remote) {
  const schedule::Generator* generator = algorithms::find(operation, name);
  schedule::Shape shape;
  shape.p = static_cast<int>(hosts.size());
  return counted(*generator, shape, HostWays(hosts, remote)).terms;
}

TEST(Hosts, AreNumberedAsTheyAppear) {
  EXPECT_EQ(numbered_hosts(std::vector{4, 4, 0, 4, 7}), (Hosts{0, 0, 1, 0, 2}));
  EXPECT_TRUE(numbered_hosts(std::vector{3, 3, 3}).empty());
  EXPECT_EQ(mesh_of({0, 0, 0, 1, 1, 1}), (std::vector{2, 3}));
  EXPECT_TRUE(mesh_of({0, 1, 0, 1}).empty());
  EXPECT_TRUE(mesh_of({0, 0, 1}).empty());
  EXPECT_TRUE(mesh_of({}).empty());
}

// Ranks 0 and 1 are on one host, 2 and 3 on another. Exchanges at distance 2 leave the host, two at
// a time.
TEST(Hosts, ExchangesAreCountedByHand) {
  const Terms found =
      terms_of(Operation::allreduce, "bidirectional_exchange", {0, 0, 1, 1}, ten_times);
  EXPECT_EQ(found.alpha, 1 + 100);
  EXPECT_EQ(found.beta, 1 + 2 * 10);
  const Terms dealt =
      terms_of(Operation::allreduce, "bidirectional_exchange", {0, 1, 0, 1}, ten_times);
  EXPECT_EQ(dealt.alpha, found.alpha);
  EXPECT_EQ(dealt.beta, found.beta);
}

TEST(Hosts, ARingCrossesInEveryRound) {
  const Terms found = terms_of(Operation::allgather, "ring", {0, 0, 0, 1, 1, 1}, ten_times);
  EXPECT_DOUBLE_EQ(found.alpha, 5 * 100);
  EXPECT_DOUBLE_EQ(found.beta, 5 * 10 / 6.0);
}

TEST(Hosts, OfEqualSpeedChangeNothingWithinARoundOfOneMessageEach) {
  for (const char* name : {"bidirectional_exchange", "halving_doubling", "ring"}) {
    const Terms apart = terms_of(Operation::allreduce, name, {0, 1, 2, 3, 4, 5, 6, 7}, {1, 1});
    const Terms together = terms_of(Operation::allreduce, name, {0, 0, 0, 0, 0, 0, 0, 0}, {1, 1});
    EXPECT_DOUBLE_EQ(apart.alpha, together.alpha) << name;
    EXPECT_DOUBLE_EQ(apart.beta, together.beta) << name;
  }
}

// If one column at a time leaves its host, the closed cost of a strategy on hosts x ranks is the
// counted one.
TEST(Hosts, AStrategyWeighsWhatGoesBetweenThem) {
  const Strategy tree{{{4, 0}, {2, 1}}, 0, 0};  // short along both: one rank of a host sends
  const Terms near = cost(Operation::broadcast, tree, 1e9),
              remote = cost(Operation::broadcast, tree, 1e9, ten_times);
  EXPECT_DOUBLE_EQ(near.alpha, 3);
  EXPECT_DOUBLE_EQ(remote.alpha, 2 + 100);
  EXPECT_DOUBLE_EQ(remote.beta, 2 + 10);
}

Question question_on(const Hosts& hosts, Operation operation) {
  Question question;
  question.operation = operation;
  question.p = static_cast<int>(hosts.size());
  question.hosts = hosts;
  question.mesh = mesh_of(hosts);
  return question;
}

// On even, dealt and uneven hosts, the choice must cost no more than the choice for one host.
TEST(Hosts, TheChoiceIsTheBestByTheCount) {
  const Hosts layouts[] = {
      {0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 0, 1, 1}, {0, 0, 1, 1, 2, 2}};
  const machine::Profile host = machine::load("host");
  for (const Hosts& hosts : layouts) {
    for (const Operation operation :
         {Operation::barrier, Operation::broadcast, Operation::reduce, Operation::allreduce,
          Operation::allgather, Operation::reduce_scatter, Operation::alltoall}) {
      for (const std::int64_t bytes : {8, 8192, 1 << 20}) {
        const Question question = question_on(hosts, operation);
        const Explanation e = explain(question, bytes, host);
        ASSERT_FALSE(e.rows.empty());
        const Choice choice = Chooser().choose(question, bytes);
        EXPECT_EQ(choice.decider, Decider::model);
        EXPECT_EQ(choice.algorithm, e.rows[0].alternative.generator->name)
            << to_text(e.rows[0].alternative.basis);
        for (const Row& row : e.rows) EXPECT_EQ(row.alternative.basis, Basis::counted_on_hosts);
      }
    }
  }
}

TEST(Hosts, HaveSizesWhereTheyLieOneAfterTheOther) {
  EXPECT_EQ(sizes_of({0, 0, 0, 1, 2, 2}), (std::vector{3, 1, 2}));
  EXPECT_TRUE(sizes_of({0, 1, 0}).empty());
  EXPECT_TRUE(sizes_of({}).empty());
}

// With three ranks on one host and two on the other, a message crosses once in each direction, for
// any size.
TEST(Hosts, OfUnequalSizesHavePlansOfTwoLevels) {
  const RemoteRates remote = remote_rates_of(machine::load("host"));
  for (const Operation operation :
       {Operation::barrier, Operation::broadcast, Operation::reduce, Operation::allreduce}) {
    const Explanation e =
        explain(question_on({0, 0, 0, 1, 1}, operation), 8, machine::load("host"));
    EXPECT_LT(e.rows[0].alternative.terms.alpha, remote.alpha + 5) << schedule::to_text(operation);
    const bool offered = std::any_of(e.rows.begin(), e.rows.end(), [](const Row& row) {
      return row.alternative.name == "two_level:factors=3x2" ||
             row.alternative.name == "coordinators:factors=3x2";
    });
    EXPECT_TRUE(offered) << schedule::to_text(operation);
  }
  const Explanation e =
      explain(question_on({0, 0, 0, 1, 1}, Operation::allreduce), 1 << 20, machine::load("host"));
  EXPECT_LT(e.rows[0].alternative.terms.beta, 1.5 * remote.beta);
}

// The ranks lie on hosts of these sizes, one after the other.
Hosts hosts_of_sizes(const std::vector<int>& sizes) {
  Hosts hosts;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    hosts.insert(hosts.end(), static_cast<std::size_t>(sizes[i]), static_cast<int>(i));
  return hosts;
}

// Three ranks of a host send a vector each to the first one. Then three hosts send two thirds each
// to others, and all get the other two thirds. No two hosts send to the same one at the same time.
TEST(Hosts, TheLongPlanOfTwoLevelsIsCountedByHand) {
  const std::vector<int> sizes{4, 1, 2};
  const Hosts hosts = hosts_of_sizes(sizes);
  const auto terms_of_plan = [&](const char* name) {
    const schedule::Generator* generator = algorithms::find(Operation::allreduce, name);
    const schedule::Shape shape{.p = 7, .factors = sizes};
    return counted(*generator, shape, HostWays(hosts, ten_times)).terms;
  };
  const Terms found = terms_of_plan("two_level_long");
  EXPECT_DOUBLE_EQ(found.alpha, 1 + 2 * 100 + 2 * 100 + 1);
  EXPECT_DOUBLE_EQ(found.beta, 3 + 10 * 2 / 3.0 + 10 * 2 / 3.0 + 3);
  EXPECT_DOUBLE_EQ(found.gamma, 3 + 2 / 3.0);
  const Terms whole = terms_of_plan("two_level");
  EXPECT_DOUBLE_EQ(whole.alpha, 1 + 2 * 100 + 1);
  EXPECT_DOUBLE_EQ(whole.beta, 3 + 10 * 2 + 3);
}

// Where hosts have unequal sizes, coordinators that exchange parts of a long vector are faster than
// all other plans. They have too many messages if the vector is short.
TEST(Hosts, OfUnequalSizesExchangePartsOfLongVectors) {
  for (const std::vector<int>& sizes :
       {std::vector{3, 5, 4}, {2, 6, 3, 5, 4}, {1, 2, 1, 4, 3, 2}}) {
    const Question question = question_on(hosts_of_sizes(sizes), Operation::allreduce);
    const auto winner = [&](std::int64_t bytes) {
      return std::string(Chooser().choose(question, bytes).algorithm);
    };
    EXPECT_NE(winner(8), "two_level_long");
    EXPECT_EQ(winner(256 * 1024), "two_level_long");
  }
}

// A profile that takes messages within a host to be fast and their bytes to be slow.
machine::Profile absurd() {
  machine::Profile profile = machine::load("host");
  profile.name = "absurd";
  profile.alpha.value = 0.001;
  profile.beta.value = 1;
  profile.more.at("hosts.alpha").value = 3000;
  profile.more.at("hosts.beta").value = 0.002;
  return profile;
}

// The first plan of an explanation of the size that decides is the library's choice, by any profile
// and for all operations, on two and four hosts of equal and of unequal sizes. There are 13 sizes
// from a byte to 16 MiB. Every other one is just above a power of two, so that a larger size
// decides.
TEST(Hosts, TheFirstPlanOfAnExplanationIsTheChoice) {
  const std::vector<int> all_sizes[] = {{1, 1}, {2, 1}, {2, 2, 2, 2}, {1, 4, 2, 5}, {6, 6}, {9, 7}};
  for (const machine::Profile& profile : {machine::load("host"), absurd()}) {
    for (const std::vector<int>& sizes : all_sizes) {
      Chooser chooser({}, profile);
      for (int number = 0; number < schedule::operation_kinds; ++number) {
        const Question question =
            question_on(hosts_of_sizes(sizes), static_cast<Operation>(number));
        for (int power = 0; power <= 24; power += 2) {
          const std::int64_t bytes = (std::int64_t{1} << power) + power / 2 % 2;
          const std::int64_t decides =
              chooser.size_asked_for(question.operation, question.p, bytes);
          ASSERT_EQ(plan_name(question.operation, chooser.choose(question, bytes)),
                    explain(question, decides, profile).rows[0].alternative.name)
              << profile.name << " " << schedule::to_text(question.operation) << " p=" << question.p
              << " " << bytes;
        }
      }
    }
  }
}

// If groups of neighbours come first, only a part of the vector crosses, and it crosses once.
TEST(Hosts, LongVectorsCrossOnce) {
  const Question question = question_on({0, 0, 0, 0, 1, 1, 1, 1}, Operation::allreduce);
  const Explanation e = explain(question, 1 << 20, machine::load("host"));
  const RemoteRates remote = remote_rates_of(machine::load("host"));
  EXPECT_LT(e.rows[0].alternative.terms.beta, 1.2 * remote.beta);
}

}  // namespace
}  // namespace tutti::selection
