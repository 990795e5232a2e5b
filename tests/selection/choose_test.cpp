// SPDX-License-Identifier: BSD-3-Clause
// Tests choices: there is always a plan that can serve, the measured rule comes first, a forced
// plan is taken or gives an error, and the model finds the fastest.
#include "selection/choose.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "selection/heuristic.hpp"

namespace tutti {
namespace {

using schedule::Operation;
using selection::Question;

Question question(Operation operation, int p) {
  Question q;
  q.operation = operation;
  q.p = p;
  return q;
}

bool is_rooted(Operation operation) {
  return operation == Operation::broadcast || operation == Operation::reduce ||
         operation == Operation::scatter || operation == Operation::gather;
}

class EveryOperationChosen : public testing::TestWithParam<int> {
 protected:
  static Operation operation() { return static_cast<Operation>(GetParam()); }
  static void check(const Question& q, const selection::Choice& choice) {
    const schedule::Generator* generator = algorithms::find(q.operation, choice.algorithm);
    ASSERT_NE(generator, nullptr) << choice.algorithm;
    const schedule::Shape shape = choice.settings.shape(q.p, q.root);
    ASSERT_TRUE(generator->applies(shape)) << generator->name << " p=" << q.p;
    const schedule::Verdict verdict = schedule::verify(*generator, shape);
    ASSERT_TRUE(verdict.correct()) << generator->name << " p=" << q.p << ": " << verdict.problem;
    ASSERT_TRUE(q.commutative || verdict.rank_order) << generator->name << " p=" << q.p;
    const bool scans = q.operation == Operation::scan || q.operation == Operation::exscan;
    ASSERT_TRUE(!q.reproducible || verdict.canonical || (scans && choice.algorithm == "doubling"))
        << generator->name;
    ASSERT_FALSE(choice.reason.empty());
  }
};

TEST_P(EveryOperationChosen, GetsWhatMayServe) {
  selection::Chooser by_rule, by_model({}, machine::load("host"));
  for (const int p : {1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 33}) {
    for (const bool commutative : {true, false}) {
      for (const bool reproducible : {false, true}) {
        Question q = question(operation(), p);
        q.commutative = commutative;
        q.reproducible = reproducible;
        q.root = is_rooted(operation()) ? p - 1 : 0;
        for (const std::int64_t bytes : {8, 4096, 1 << 20}) {
          check(q, by_rule.choose(q, bytes));
          check(q, by_model.choose(q, bytes));
        }
      }
    }
  }
}

std::string test_name(const testing::TestParamInfo<int>& tested) {
  return schedule::to_text(static_cast<Operation>(tested.param));
}

INSTANTIATE_TEST_SUITE_P(Choose, EveryOperationChosen, testing::Range(0, selection::operations),
                         test_name);

// A profile says what messages cost. The rule also knows how much readers of one memory, and
// processes on one processor, share.
TEST(Choose, TakesTheRuleBeforeTheModelOfAnyProfileOnOneHost) {
  selection::Chooser by_rule;
  for (const char* machine : {"host", "sp2", "paragon"}) {
    selection::Chooser measured({}, machine::load(machine));
    for (int number = 0; number < selection::operations; ++number) {
      for (const int p : {2, 4, 16}) {
        const Question q = question(static_cast<Operation>(number), p);
        const selection::Choice choice = measured.choose(q, 65536);
        EXPECT_EQ(choice.decider, selection::Decider::rule) << machine;
        EXPECT_EQ(choice.algorithm, by_rule.choose(q, 65536).algorithm) << machine;
      }
    }
    EXPECT_EQ(measured.choose(question(Operation::alltoall, 24), 65536).decider,
              selection::Decider::model);
  }
}

TEST(Choose, AsksForTheLargestSizeOfAClassThatNoTableDivides) {
  const selection::Table table = selection::parse_table(
      "[[plan]]\noperation = 'bcast'\nranks = [4, 4]\nbytes = [0, 3000]\nalgorithm = 'mst'",
      "t.toml");
  const selection::Chooser chooser({}, std::nullopt, {table});
  EXPECT_EQ(chooser.size_asked_for(Operation::broadcast, 4, 2500), 2500);
  EXPECT_EQ(chooser.size_asked_for(Operation::broadcast, 4, 2000), 2048);
  EXPECT_EQ(chooser.size_asked_for(Operation::broadcast, 5, 2500), 4096);
  EXPECT_EQ(chooser.size_asked_for(Operation::broadcast, 4, 0), 1);
}

// The rule exchanges blocks of 32 KiB and more in pairs. 70000 bytes in three blocks are less, the
// largest size of their class is more.
TEST(Choose, OneChoiceServesAClassOfSizes) {
  selection::Chooser chooser;
  const Question q = question(Operation::alltoall, 3);
  for (const std::int64_t bytes : {65537, 70000, 131072})
    EXPECT_EQ(chooser.choose(q, bytes).algorithm, "circle") << bytes;
  EXPECT_EQ(chooser.choose(q, 65536).algorithm, "direct");
  EXPECT_EQ(selection::choose(Operation::alltoall, 3, 70000, true).algorithm, "circle");
}

// Where the flat shapes were measured to be better than the model with its one port thinks.
TEST(Choose, KeepsTheMeasuredRule) {
  const auto advised = [](Operation operation, int p, std::int64_t bytes, int processors) {
    return std::string(selection::heuristic(operation, p, bytes, processors).algorithm);
  };
  EXPECT_EQ(advised(Operation::barrier, 4, 0, 2), "direct");
  EXPECT_EQ(advised(Operation::barrier, 8, 0, 8), "dissemination");
  EXPECT_EQ(advised(Operation::barrier, 8, 0, 7), "fully_connected");
  EXPECT_EQ(advised(Operation::broadcast, 16, 1 << 20, 64), "fully_connected");
  EXPECT_EQ(advised(Operation::broadcast, 17, 8, 64), "mst");
  EXPECT_EQ(advised(Operation::reduce, 4, 1 << 20, 64), "fully_connected");
  EXPECT_EQ(advised(Operation::reduce, 8, 16384, 64), "mst");
  EXPECT_EQ(advised(Operation::reduce, 8, 16384, 2), "fully_connected");
  EXPECT_EQ(advised(Operation::allreduce, 4, 8, 2), "direct");
  EXPECT_EQ(advised(Operation::allreduce, 2, 1024, 2), "bidirectional_exchange");
  EXPECT_EQ(advised(Operation::allreduce, 2, 1 << 20, 2), "bidirectional_exchange");
  EXPECT_EQ(advised(Operation::allreduce, 2, 2 << 20, 2), "direct_long");
  EXPECT_EQ(advised(Operation::allreduce, 4, 16384, 64), "direct_long");
  EXPECT_EQ(advised(Operation::allreduce, 16, 16384, 2), "fully_connected");
  EXPECT_EQ(advised(Operation::gather, 4, 8, 64), "fully_connected");
  EXPECT_EQ(advised(Operation::alltoall, 4, 4 * 32768, 64), "circle");
  EXPECT_EQ(advised(Operation::alltoall, 4, 4 * 32760, 64), "direct");
  EXPECT_EQ(advised(Operation::scan, 4, 8, 4), "doubling");
  EXPECT_EQ(advised(Operation::scan, 4, 8, 2), "linear");
}

TEST(Choose, TakesWhatIsForced) {
  selection::Chooser chooser(
      selection::parse_policy("allreduce=increasing_ring,bcast=tree:branches=2"));
  const selection::Choice sum = chooser.choose(question(Operation::allreduce, 4), 8);
  EXPECT_EQ(sum.algorithm, "increasing_ring");
  EXPECT_EQ(sum.reason, "asked for by name");
  EXPECT_EQ(chooser.choose(question(Operation::broadcast, 9), 8).settings.branches, 2);
  EXPECT_EQ(chooser.choose(question(Operation::reduce, 4), 8).algorithm, "fully_connected");
}

TEST(Choose, RefusesWhatIsForcedAndMayNotServe) {
  selection::Chooser chooser(selection::parse_policy("allreduce=increasing_ring,bcast=hypercube"));
  Question ordered = question(Operation::allreduce, 4);
  ordered.commutative = false;
  try {
    (void)chooser.choose(ordered, 8);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.status(), base::Status::no_such_plan);
    EXPECT_STREQ(error.what(),
                 "allreduce=increasing_ring is asked for, but for p = 4 it does not keep the order "
                 "of the operands, and the operator is not commutative");
  }
  EXPECT_THROW((void)chooser.choose(question(Operation::broadcast, 6), 8), base::Error);
  EXPECT_EQ(chooser.choose(question(Operation::broadcast, 8), 8).algorithm, "hypercube");
}

// The MPI's own collective is chosen by name only, and only if it can serve.
TEST(Choose, TakesTheMpisOwnWhereItMayServe) {
  selection::Chooser chooser(selection::parse_policy("allreduce=native"));
  Question q = question(Operation::allreduce, 4);
  q.native = selection::Native::may_serve;
  EXPECT_EQ(chooser.choose(q, 8).algorithm, "native");
  for (const auto& [native, why] :
       {std::pair{selection::Native::no_mpi, "no MPI has started this job"},
        std::pair{selection::Native::other_group, "after tutti_group_use_mpi"},
        std::pair{selection::Native::unserved, "no operators of the user's"}}) {
    q.native = native;
    try {
      (void)chooser.choose(q, 8);
      ADD_FAILURE() << why;
    } catch (const base::Error& error) {
      EXPECT_EQ(error.status(), base::Status::no_such_plan);
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  }
  q.native = selection::Native::may_serve;
  q.reproducible = true;
  EXPECT_THROW((void)chooser.choose(q, 8), base::Error);
  EXPECT_NE(selection::Chooser().choose(q, 8).algorithm, "native");
}

// The chooser derives that an algorithm is reproducible and does not rely on its name. The tree of
// the BLACS is canonical only for root 0 and powers of two.
TEST(Choose, ReproducibleIsAConstraint) {
  selection::Policy policy = selection::parse_policy("reduce=tree");
  policy.reproducible = true;
  selection::Chooser chooser(policy);
  Question q = question(Operation::reduce, 8);
  EXPECT_EQ(chooser.choose(q, 8).algorithm, "tree");
  q.root = 3;
  EXPECT_THROW((void)chooser.choose(q, 8), base::Error);
  policy = selection::Policy();
  policy.reproducible = true;
  EXPECT_NE(selection::Chooser(policy).choose(question(Operation::allreduce, 4), 8).algorithm,
            "direct");
}

TEST(Ranking, AgreesWithASearchOfAllLines) {
  std::mt19937_64 random(1995);
  const machine::Profile machine = machine::load("sp2");
  const selection::Rates rates = selection::rates_of(machine);
  selection::Rankings rankings(machine);
  for (int i = 0; i < 200; ++i) {
    const auto operation = static_cast<Operation>(random() % selection::operations);
    const Question q = question(operation, 1 + static_cast<int>(random() % 40));
    const selection::Ranking& ranking = rankings.of(q);
    ASSERT_FALSE(ranking.empty());
    const auto bytes = static_cast<double>(random() >> (24 + random() % 40));
    const double found = selection::time(ranking.best(bytes).terms, rates, bytes);
    for (const selection::Alternative& a : ranking.alternatives())
      EXPECT_LE(found, selection::time(a.terms, rates, bytes) * (1 + 1e-9))
          << a.name << " p=" << q.p;
    EXPECT_EQ(&rankings.of(q), &ranking);
  }
}

}  // namespace
}  // namespace tutti
