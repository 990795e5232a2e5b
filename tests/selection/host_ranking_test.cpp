// SPDX-License-Identifier: BSD-3-Clause
// Checks the choice on one host: what it leaves out of counting cannot change it, and it has the
// least price of all candidates.
#include "selection/host_ranking.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "algorithms/adopted.hpp"
#include "algorithms/known.hpp"
#include "algorithms/registry.hpp"
#include "schedule/printer.hpp"
#include "selection/names.hpp"

namespace tutti {
namespace {

using schedule::Generator;
using schedule::HostCounts;
using schedule::Operation;
using schedule::Rank;
using schedule::Work;

schedule::Shape shape_of(int p) {
  schedule::Shape shape;
  shape.p = p;
  return shape;
}

// Returns the counts of a generator, whatever it says of its ranks.
HostCounts counted(Generator generator, int p) {
  generator.alike = false;
  return schedule::host_counts(generator, shape_of(p));
}

class EveryGenerator : public testing::TestWithParam<const Generator*> {};

TEST_P(EveryGenerator, HasRanksAlikeIfItSaysSo) {
  const Generator& generator = *GetParam();
  if (!generator.alike) return;
  for (int p = 1; p <= 64; ++p) {
    if (!generator.applies(shape_of(p))) continue;
    const std::vector<Work> first = schedule::work_of_rank(generator, shape_of(p), Rank{0});
    for (int rank = 1; rank < p; ++rank) {
      ASSERT_EQ(schedule::work_of_rank(generator, shape_of(p), Rank{rank}), first)
          << "p=" << p << " rank " << rank;
    }
    ASSERT_EQ(schedule::host_counts(generator, shape_of(p)), counted(generator, p)) << "p=" << p;
  }
}

// The search stops at plans whose rounds alone cost too much. So nearly all rounds must have
// messages.
TEST_P(EveryGenerator, HasFewRoundsWithoutMessages) {
  const Generator& generator = *GetParam();
  if (!algorithms::is_candidate(generator) || generator.parameter != schedule::Parameter::none)
    return;
  selection::Question question;
  question.operation = generator.operation;
  std::vector<int> numbers = {65,  96,  100, 127,  128,  129,  210,  255,  256,  257,
                              511, 512, 513, 1000, 1024, 1025, 2048, 2187, 4096, 4099};
  for (int p = 2; p <= 64; ++p) numbers.push_back(p);
  for (const int p : numbers) {
    question.p = p;
    if (!generator.applies(shape_of(p)) || !selection::can_be_priced(generator, {}, question))
      continue;
    ASSERT_LE(generator.rounds(shape_of(p)), schedule::host_counts(generator, shape_of(p)).rounds +
                                                 selection::rounds_without_messages)
        << "p=" << p;
  }
}

std::string name_of(const testing::TestParamInfo<const Generator*>& tested) {
  return std::string(schedule::to_text(tested.param->operation)) + "_" + tested.param->name;
}

INSTANTIATE_TEST_SUITE_P(HostRanking, EveryGenerator, testing::ValuesIn(algorithms::all()),
                         name_of);

struct Cell {
  Operation operation;
  int p, processors;
};

// Returns the least price of all candidates, each counted whole.
double least_price(const Cell& cell, const selection::HostRates& rates, double bytes) {
  double least = 1e300;
  for (const Generator* generator : algorithms::all()) {
    const schedule::Shape shape = shape_of(cell.p);
    if (generator->operation != cell.operation || !algorithms::is_candidate(*generator) ||
        generator->parameter != schedule::Parameter::none || !generator->applies(shape))
      continue;
    const double parts = std::max(1, generator->buffers(shape).parts);
    const double price = selection::host_times(counted(*generator, cell.p), rates, bytes / parts,
                                               {cell.p, cell.processors})
                             .total();
    least = std::min(least, price);
  }
  return least;
}

TEST(HostRanking, TakesTheLeastPriceOfAllCandidates) {
  const selection::HostRates rates = selection::host_rates_of(machine::load("host"));
  for (const int processors : {2, 16, 64}) {
    selection::HostRanking ranking(rates, processors);
    for (int number = 0; number < schedule::operation_kinds; ++number) {
      for (const int p : {2, 3, 8, 17, 32}) {
        const Cell cell{static_cast<Operation>(number), p, processors};
        selection::Question question;
        question.operation = cell.operation;
        question.p = p;
        for (const std::int64_t bytes : {8, 4096, 1 << 20}) {
          const auto best = ranking.best(question, bytes);
          ASSERT_TRUE(best.has_value());
          EXPECT_DOUBLE_EQ(best->times.total(),
                           least_price(cell, rates, static_cast<double>(bytes)))
              << schedule::to_text(cell.operation) << " p=" << p << " bytes=" << bytes;
          EXPECT_EQ(ranking.all(question, bytes).front().generator, best->generator);
        }
      }
    }
  }
}

struct Questions {
  std::vector<int> ranks;
  int step = 1;  // from one power of two of bytes to the next
  bool reproducible = false;
};

// Asks one ranking for its best plan, and another one for all, and expects that the best is the
// first. The plans that a ranking counts depend on the sizes that it was asked for before, but the
// choice must not.
void expect_best_is_first(selection::HostRanking& lazy, selection::HostRanking& whole,
                          selection::Question question, const Questions& questions) {
  question.reproducible = questions.reproducible;
  for (const int p : questions.ranks) {
    question.p = p;
    for (int power = 0; power <= 24; power += questions.step) {
      const auto best = lazy.best(question, std::int64_t{1} << power);
      const auto all = whole.all(question, std::int64_t{1} << power);
      ASSERT_EQ(best.has_value(), !all.empty());
      // Only a few plans combine in the canonical order, and for scans there may be none.
      ASSERT_TRUE(best || questions.reproducible);
      if (best) {
        ASSERT_EQ(best->generator, all.front().generator)
            << schedule::to_text(question.operation) << " p=" << p << " 2^" << power
            << " commutative " << question.commutative;
      }
    }
  }
}

void expect_best_is_first(const Questions& questions) {
  const selection::HostRates rates = selection::host_rates_of(machine::load("host"));
  for (const int processors : {2, 64}) {
    selection::HostRanking whole(rates, processors), lazy(rates, processors);
    for (int number = 0; number < schedule::operation_kinds; ++number) {
      for (const bool commutative : {true, false}) {
        selection::Question question;
        question.operation = static_cast<Operation>(number);
        question.commutative = commutative;
        expect_best_is_first(lazy, whole, question, questions);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(HostRanking, TheBestIsTheFirstOfAll) {
  std::vector<int> ranks(63);
  std::iota(ranks.begin(), ranks.end(), 2);
  expect_best_is_first({.ranks = ranks, .step = 2});
}

TEST(HostRanking, TheBestIsTheFirstOfAllThatAreReproducible) {
  expect_best_is_first({.ranks = {2, 3, 5, 8, 13, 16, 31, 64}, .step = 8, .reproducible = true});
}

TEST(HostRanking, ServesOneRankAndManyRanks) {
  const selection::HostRates rates = selection::host_rates_of(machine::load("host"));
  for (const int processors : {2, 128}) {
    selection::HostRanking lazy(rates, processors);
    for (int number = 0; number < schedule::operation_kinds; ++number) {
      selection::Question question;
      question.operation = static_cast<Operation>(number);
      for (const int p : {1, 100}) {
        question.p = p;
        const auto best = lazy.best(question, 4096);
        ASSERT_TRUE(best.has_value()) << schedule::to_text(question.operation) << " p=" << p;
        EXPECT_EQ(best->generator,
                  selection::HostRanking(rates, processors).all(question, 4096).front().generator)
            << schedule::to_text(question.operation) << " p=" << p;
      }
    }
  }
}

// The choice knows no root, so the price of a plan that is shown must not depend on it.
TEST(HostRanking, PricesPlansForRootZero) {
  const selection::HostRates rates = selection::host_rates_of(machine::load("host"));
  selection::Question question;
  question.p = 7;
  for (const Generator* generator : algorithms::all()) {
    question.operation = generator->operation;
    if (!schedule::has_root(question.operation) || !generator->applies(shape_of(question.p)) ||
        generator->parameter != schedule::Parameter::none)
      continue;
    const auto price = [&](int root) {
      question.root = root;
      return selection::host_plan(*generator, {}, question, 4096, rates, 16).times.total();
    };
    EXPECT_EQ(price(3), price(0)) << generator->name;
  }
}

// A barrier of the user's for 61 ranks, in whose rounds nobody does anything.
class Silent : public algorithms::Source {
 public:
  int rounds(const schedule::Shape&) const override { return 40; }
  schedule::Buffers buffers(const schedule::Shape&) const override { return {}; }
  void emit(schedule::Round&, const schedule::Shape&, Rank, int) const override {}
  bool applies(const schedule::Shape& shape) const override { return shape.p == 61; }
  std::string needs() const override { return "61 ranks"; }
  std::string identity() const override { return "silent"; }
  bool candidate() const override { return true; }
};

// Rounds of built-in plans cost something, but those of a plan from elsewhere may not.
TEST(HostRanking, CountsAdoptedPlansWithSilentRounds) {
  const Generator& silent = algorithms::adopt(
      {"silent", Operation::barrier, schedule::Operators::any, true}, std::make_unique<Silent>());
  algorithms::make_known(silent);
  const selection::HostRates rates = selection::host_rates_of(machine::load("host"));
  selection::Question question;
  question.operation = Operation::barrier;
  question.p = 61;
  selection::HostRanking ranking(rates, 64);
  EXPECT_EQ(ranking.best(question, 0)->generator, &silent);
  EXPECT_EQ(ranking.all(question, 0).front().generator, &silent);
}

// A root that has a processor of its own still has to serve its readers one after the other.
TEST(HostRanking, TakesATreeWhereManyRanksHaveProcessors) {
  const selection::HostRates rates = selection::host_rates_of(machine::load("host"));
  selection::Question question;
  question.operation = Operation::broadcast;
  const auto rounds_of = [&](int p) {
    question.p = p;
    return selection::HostRanking(rates, 64).best(question, 8)->counts.rounds;
  };
  EXPECT_EQ(rounds_of(4), 1);
  EXPECT_EQ(rounds_of(64), 6);
}

}  // namespace
}  // namespace tutti
