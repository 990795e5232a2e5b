// SPDX-License-Identifier: BSD-3-Clause
// Tests choices: there is always a plan that can serve, the price in shared memory decides on one
// host, a forced plan is taken or gives an error, and the model finds the fastest.
#include "selection/choose.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "selection/explain.hpp"
#include "selection/size_class.hpp"

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
  selection::Chooser many_processors({}, std::nullopt, {}, 64),
      two_processors({}, std::nullopt, {}, 2);
  for (const int p : {1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 33}) {
    for (const bool commutative : {true, false}) {
      for (const bool reproducible : {false, true}) {
        Question q = question(operation(), p);
        q.commutative = commutative;
        q.reproducible = reproducible;
        q.root = is_rooted(operation()) ? p - 1 : 0;
        for (const std::int64_t bytes : {8, 4096, 1 << 20}) {
          check(q, many_processors.choose(q, bytes));
          check(q, two_processors.choose(q, bytes));
        }
      }
    }
  }
}

std::string test_name(const testing::TestParamInfo<int>& tested) {
  return schedule::to_text(static_cast<Operation>(tested.param));
}

INSTANTIATE_TEST_SUITE_P(Choose, EveryOperationChosen, testing::Range(0, schedule::operation_kinds),
                         test_name);

// A profile of another machine says what its messages cost, but nothing of the memory of this host.
TEST(Choose, TakesThePriceInSharedMemoryOnOneHostWithAnyProfile) {
  selection::Chooser own;
  for (const char* machine : {"host", "sp2", "paragon"}) {
    selection::Chooser measured({}, machine::load(machine));
    for (int number = 0; number < schedule::operation_kinds; ++number) {
      for (const int p : {2, 4, 16, 24}) {
        const Question q = question(static_cast<Operation>(number), p);
        const selection::Choice choice = measured.choose(q, 65536);
        EXPECT_EQ(choice.decider, selection::Decider::shared_memory) << machine;
        EXPECT_EQ(choice.algorithm, own.choose(q, 65536).algorithm) << machine;
      }
    }
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

// The largest size of a class decides for all of them, although the cheapest plan changes within
// the class.
TEST(Choose, OneChoiceServesAClassOfSizes) {
  selection::Chooser chooser({}, std::nullopt, {}, 2);
  const Question q = question(Operation::alltoall, 24);
  const auto pieces = selection::explain_on_host(q, 8, machine::load("host"), 2).pieces;
  ASSERT_GE(pieces.size(), 2U);
  const auto change = static_cast<std::int64_t>(pieces[1].from);
  const selection::Range sizes = selection::sizes_of_class(selection::size_class_of(change));
  ASSERT_LT(sizes.first, change);
  ASSERT_LT(change, sizes.last);
  const auto best = chooser.choose(q, sizes.last).algorithm;
  for (const std::int64_t bytes : {sizes.first, change, sizes.last})
    EXPECT_EQ(chooser.choose(q, bytes).algorithm, best) << bytes;
  EXPECT_NE(chooser.choose(q, sizes.first - 1).algorithm, best);
}

TEST(Choose, TakesWhatIsForced) {
  selection::Chooser chooser(
      selection::parse_policy("allreduce=increasing_ring,bcast=tree:branches=2"));
  const selection::Choice sum = chooser.choose(question(Operation::allreduce, 4), 8);
  EXPECT_EQ(sum.algorithm, "increasing_ring");
  EXPECT_EQ(sum.reason, "asked for by name");
  EXPECT_EQ(chooser.choose(question(Operation::broadcast, 9), 8).settings.branches, 2);
  EXPECT_EQ(chooser.choose(question(Operation::reduce, 4), 8).decider,
            selection::Decider::shared_memory);
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

TEST(Choose, WholeVectorsAreAConstraint) {
  selection::Chooser chooser;
  for (const Operation operation : {Operation::reduce, Operation::allreduce, Operation::scan}) {
    for (int p = 2; p <= 64; ++p) {
      for (const std::int64_t bytes : {8L, 4096L, 1L << 20, 1L << 26}) {
        Question q = question(operation, p);
        q.whole_vectors = true;
        const selection::Choice choice = chooser.choose(q, bytes);
        const auto& generator = *algorithms::named(operation, choice.algorithm);
        EXPECT_EQ(generator.buffers(choice.settings.shape(p, 0)).parts, 1)
            << schedule::to_text(operation) << " of " << bytes << " bytes, p = " << p << ": "
            << choice.algorithm;
      }
    }
  }
}

TEST(Ranking, AgreesWithASearchOfAllLines) {
  std::mt19937_64 random(1995);
  const machine::Profile machine = machine::load("sp2");
  const selection::Rates rates = selection::rates_of(machine);
  selection::Rankings rankings(machine);
  for (int i = 0; i < 200; ++i) {
    const auto operation = static_cast<Operation>(random() % schedule::operation_kinds);
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
