// SPDX-License-Identifier: BSD-3-Clause
// Tests the file of `tutti tune` with samples that are made up: the plan that wins, and rows that
// stay, disappear and are added. A file that cannot be written stays as it was.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "base/error.hpp"
#include "driver/driver.h"
#include "selection/choose.hpp"
#include "selection/policy.hpp"
#include "tune/decide.hpp"
#include "tune/file.hpp"
#include "tune/plans.hpp"
#include "tune/rows.hpp"

namespace tutti {
namespace {

using schedule::Operation;
using tools::Comparison;
using tools::Contest;
using tools::Decision;
using tools::InTurn;
using tools::TunedPoint;
using tools::Turn;

// Returns turns of plans with the given times. Each turn has a factor of noise that may be large,
// and each time has one of its own.
std::vector<Turn> turns(std::vector<double> us, int count, double noise = 0.02,
                        const char* placement = "far") {
  std::mt19937 random(1962);
  std::uniform_real_distribution<double> of_turn(1, 3), of_time(1 - noise, 1 + noise);
  std::vector<Turn> made;
  for (int i = 0; i < count; ++i) {
    Turn turn{{}, placement};
    const double slow = of_turn(random);
    for (const double one : us) turn.us.push_back(one * slow * of_time(random));
    made.push_back(std::move(turn));
  }
  return made;
}

TEST(Judge, WinsByMoreThanTheSpread) {
  EXPECT_EQ(tools::compare(turns({1, 0.8}, 20), 1, 0), Comparison::wins);
  EXPECT_EQ(tools::compare(turns({1, 0.8}, 20), 0, 1), Comparison::loses);
  EXPECT_EQ(tools::compare(turns({1, 0.98}, 20), 1, 0), Comparison::even);
  EXPECT_EQ(tools::compare(turns({1, 0.9}, 200, 0.6), 1, 0), Comparison::even);
  EXPECT_EQ(tools::compare(turns({1, 0.5}, tools::fewest_pairs - 1), 1, 0), Comparison::unknown);
  EXPECT_EQ(tools::compare({}, 0, 0), Comparison::unknown);
}

TEST(Judge, DoesNotWinWhereItLosesInAPlacement) {
  std::vector<Turn> both = turns({1, 0.5}, 60, 0.02, "far");
  const std::vector<Turn> near = turns({1, 1.2}, 12, 0.02, "near");
  both.insert(both.end(), near.begin(), near.end());
  EXPECT_EQ(tools::compare(both, 1, 0), Comparison::even);
  for (Turn& turn : both) turn.placement = turn.placement == "near" ? "mixed" : turn.placement;
  EXPECT_EQ(tools::compare(both, 1, 0), Comparison::wins);
}

InTurn job(std::vector<std::string> plans, std::vector<double> us, int count = 20) {
  return {{"bcast", 8}, std::move(plans), turns(std::move(us), count)};
}

TEST(Decide, AChallengerHasToWinInEveryJob) {
  const Contest contest{"u", "u", "u", "c"};
  const InTurn won = job({"u", "c"}, {1, 0.8}), even = job({"u", "c"}, {1, 1});
  const Decision decision = tools::decide(contest, {won, won});
  EXPECT_EQ(decision.plan, "c");
  ASSERT_EQ(decision.ratios.size(), 2U);
  EXPECT_NEAR(decision.ratios[0], 0.8, 0.05);
  EXPECT_EQ(tools::decide(contest, {won, even}).plan, "u");
  EXPECT_EQ(tools::decide(contest, {even, won}).plan, "u");
}

TEST(Decide, AChallengerHasToBeatThePresentPlanToo) {
  const Contest contest{"u", "u", "p", "c"};
  const std::vector<std::string> plans = {"u", "p", "c"};
  const auto twice = [&](std::vector<double> us) {
    return tools::decide(contest, {job(plans, us), job(plans, us)}).plan;
  };
  EXPECT_EQ(twice({1, 0.8, 0.6}), "c");
  EXPECT_EQ(twice({1, 0.7, 0.7}), "p");
  EXPECT_EQ(twice({1, 2, 0.6}), "c");
  EXPECT_EQ(twice({1, 0.6, 0.8}), "p");
}

TEST(Decide, APresentPlanStaysOnlyWhereItIsFaster) {
  const Contest contest{"u", "u", "p", ""};
  const InTurn even = job({"u", "p"}, {1, 1}, 200);
  EXPECT_EQ(tools::decide(contest, {even, even}).plan, "u");
  const InTurn faster = job({"u", "p"}, {1, 0.9}), slower = job({"u", "p"}, {1, 1.3});
  EXPECT_EQ(tools::decide(contest, {faster, faster}).plan, "p");
  EXPECT_EQ(tools::decide(contest, {faster, slower}).plan, "u");
  EXPECT_EQ(tools::decide(contest, {slower, slower}).plan, "u");
}

TEST(Decide, FewSamplesDecideNothing) {
  const Contest contest{"u", "u", "p", "c"};
  const std::vector<std::string> plans = {"u", "p", "c"};
  const InTurn enough = job(plans, {1, 5, 0.1}),
               few = job(plans, {1, 5, 0.1}, tools::fewest_pairs - 1);
  const Decision decision = tools::decide(contest, {enough, few});
  EXPECT_EQ(decision.plan, "p");
  EXPECT_FALSE(decision.decided);
  EXPECT_FALSE(tools::decide(contest, {}).decided);
}

TEST(Decide, TheMostPromisingIsTheFastestThatIsClearlyFaster) {
  EXPECT_EQ(tools::most_promising(job({"u", "a", "b"}, {1, 0.8, 0.6})), "b");
  EXPECT_EQ(tools::most_promising(job({"u", "a"}, {1, 0.99})), "");
  EXPECT_EQ(tools::most_promising({{"bcast", 8}, {"u", "a"}, {}}), "");
}

TEST(Rates, AreAcceptedOnlyIfTheyChooseBetterInEachJob) {
  const auto verdict = [](double first_job, double second_job, int changes) {
    std::vector<tools::MeasuredContest> cells(
        static_cast<std::size_t>(changes),
        {{"u", "r", "u", ""}, {job({"u", "r"}, {1, first_job}), job({"u", "r"}, {1, second_job})}});
    cells.push_back({{"u", "u", "u", "c"}, {job({"u", "c"}, {1, 0.1})}});  // not about rates
    return tools::assess_rates(cells);
  };
  EXPECT_TRUE(verdict(0.9, 0.9, 3).accepted);
  EXPECT_EQ(verdict(0.9, 0.9, 3).changed, 3);
  EXPECT_NEAR(verdict(0.9, 0.8, 3).ratios.at(1), 0.8, 0.05);
  EXPECT_FALSE(verdict(0.9, 1.1, 3).accepted);
  EXPECT_FALSE(verdict(1.1, 0.9, 3).accepted);
  EXPECT_FALSE(verdict(0.9, 0.9, 2).accepted);
  EXPECT_FALSE(tools::assess_rates({}).accepted);
}

constexpr const char* spoilt = R"(
[[plan]]
operation = "bcast"
ranks = [2, 16]
bytes = [0, "64K"]
algorithm = "chain"
[[plan]]
operation = "bcast"
algorithm = "mst"
[[plan]]
operation = "scan"
ranks = [5, 6]
algorithm = "linear"
)";

TunedPoint point(int ranks, std::int64_t bytes, const std::string& plan, bool decided = true) {
  return {Operation::broadcast, ranks,   bytes,
          "fully_connected",    "chain", {plan, decided, {0.7, 0.8}, {1.5, 1.6}}};
}

std::string chosen(const tools::TunedTable& table, int ranks, std::int64_t bytes,
                   Operation operation = Operation::broadcast) {
  selection::Chooser chooser({}, std::nullopt, {selection::parse_table(table.text, "new")});
  selection::Question question;
  question.operation = operation;
  question.p = ranks;
  return selection::plan_name(operation, chooser.choose(question, bytes));
}

TEST(Rows, ThoseThatLoseGoAndWhatTheyCoverToo) {
  const tools::TunedTable table =
      tools::tuned_table(selection::parse_table(spoilt, "old"),
                         {point(3, 8, "fully_connected"), point(3, 8192, "fully_connected")});
  EXPECT_EQ(table.changes.size(), 2U);
  for (const std::int64_t bytes : {8, 100, 8192})
    EXPECT_EQ(chosen(table, 3, bytes), "fully_connected");
  EXPECT_EQ(selection::parse_table(table.text, "new").rows().size(),
            1U);  // that of scan serves no point
  EXPECT_EQ(chosen(table, 5, 8, Operation::scan), "linear");
}

// A row goes because its plan was slower, because a challenger was faster still, or because it was
// never measured.
TEST(Rows, ThoseThatGoSayWhy) {
  const auto changes = [](const char* plan) {
    return tools::tuned_table(selection::parse_table(spoilt, "old"), {point(3, 8, plan)}).changes;
  };
  const std::vector<std::string> slower = changes("fully_connected"), challenged = changes("mst"),
                                 kept = changes("chain");
  ASSERT_EQ(slower.size(), 2U);
  EXPECT_EQ(slower[0],
            "- broadcast by chain, 2 to 16 processes, up to 64 KiB, line 2 of the file (1.50 and "
            "1.60 of the time of fully_connected at 3 processes, 8 B; a row stays up to 0.95 in "
            "each job)");
  EXPECT_EQ(slower[1],
            "- broadcast by mst, any number of processes, any size, line 7 of the file (hidden by "
            "rows that go; it was not compared with fully_connected, which serves at 3 processes, "
            "8 B)");
  ASSERT_EQ(challenged.size(), 1U);  // and the row of mst serves the point
  EXPECT_EQ(challenged[0],
            "- broadcast by chain, 2 to 16 processes, up to 64 KiB, line 2 of the file (1.50 and "
            "1.60 of the time of fully_connected at 3 processes, 8 B; mst takes 0.70 and 0.80)");
  EXPECT_TRUE(kept.empty());
}

// Rates that were fitted here choose "chain", and a row names the plan of the rates of `host`.
TEST(Rows, ThatNameTheUntunedPlanAreComparedWithThePlanOfFittedRates) {
  const Contest contest{"mst", "chain", "mst", ""};
  const auto table_by = [&](const char* rows, double ratio) {
    const selection::Table present = selection::parse_table(rows, "old");
    TunedPoint at = point(3, 8, "");
    const Contest rated = tools::contest_by_rates(contest, present, at);
    at.untuned = rated.untuned;
    at.present = rated.present;
    const InTurn measured = job({"chain", "mst"}, {1, ratio});
    at.decision = tools::decide(rated, {measured, measured});
    return tools::tuned_table(present, {at});
  };
  constexpr const char* row = "[[plan]]\noperation = 'bcast'\nalgorithm = 'mst'\n";
  const std::vector<std::string> gone = table_by(row, 1.5).changes;
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_NE(gone[0].find(" of the time of chain at 3 processes, 8 B; a row stays"),
            std::string::npos)
      << gone[0];
  const tools::TunedTable stays = table_by(row, 0.5);
  EXPECT_TRUE(stays.changes.empty());
  EXPECT_EQ(chosen(stays, 3, 8), "mst");
  const std::string other = std::string(row) + "processors = 9999\n";  // serves no job here
  for (const char* const rows : {"", other.c_str()})
    EXPECT_TRUE(table_by(rows, 0.5).changes.empty());
}

TEST(Rows, WhatWonOrIsUndecidedStaysForItsRanksAndSizes) {
  const tools::TunedTable table = tools::tuned_table(
      selection::parse_table(spoilt, "old"),
      {point(3, 8, "fully_connected"), point(3, 512, "chain"), point(3, 32768, "hybrid:factors=3"),
       point(4, 8, "chain", false), point(4, 512, "mst"), point(4, 32768, "mst")});
  EXPECT_EQ(chosen(table, 3, 8), "fully_connected");
  EXPECT_EQ(chosen(table, 3, 256), "fully_connected");
  EXPECT_EQ(chosen(table, 3, 257), "chain");
  EXPECT_EQ(chosen(table, 3, 512), "chain");
  EXPECT_EQ(chosen(table, 3, 513), "fully_connected");
  EXPECT_EQ(chosen(table, 3, 32768), "hybrid:.3");
  EXPECT_EQ(chosen(table, 3, 32769), "fully_connected");
  EXPECT_EQ(chosen(table, 4, 8), "chain");
  EXPECT_EQ(chosen(table, 4, 512), "mst");
  EXPECT_EQ(chosen(table, 4, 20000), "mst");
  EXPECT_EQ(chosen(table, 5, 512), "fully_connected");
}

TEST(Rows, AllThatWonStayAsTheyAre) {
  const selection::Table present = selection::parse_table(spoilt, "old");
  const tools::TunedTable table =
      tools::tuned_table(present, {point(3, 8, "chain"), point(3, 1 << 20, "mst")});
  EXPECT_TRUE(table.changes.empty());
  const selection::Table again = selection::parse_table(table.text, "new");
  ASSERT_EQ(again.rows().size(), present.rows().size());
  for (std::size_t i = 0; i < present.rows().size(); ++i) {
    EXPECT_EQ(again.rows()[i].generator, present.rows()[i].generator);
    EXPECT_EQ(again.rows()[i].bytes.last, present.rows()[i].bytes.last);
    EXPECT_EQ(again.rows()[i].ranks.first, present.rows()[i].ranks.first);
  }
  EXPECT_TRUE(tools::tuned_table({}, {point(3, 8, "fully_connected")}).text.empty());
}

TEST(Rows, ClassesThatFollowEachOtherBecomeOneRow) {
  const tools::TunedTable table = tools::tuned_table(
      {},
      {point(4, 8, "chain"), point(4, 1024, "mst"), point(4, 2048, "mst"), point(4, 8192, "mst")});
  const selection::Table rows = selection::parse_table(table.text, "new");
  ASSERT_EQ(rows.rows().size(), 3U);
  EXPECT_EQ(rows.rows()[0].bytes.first, 0);
  EXPECT_EQ(rows.rows()[1].bytes.first, 513);
  EXPECT_EQ(rows.rows()[1].bytes.last, 2048);
  EXPECT_EQ(rows.rows()[2].bytes.first, 4097);
}

// A row serves the number of processors on which it has won. Rows that others have measured, and
// those for programs of an MPI, stay as they are.
TEST(Rows, SayWhereAndWhenTheyWon) {
  const selection::Table present = selection::parse_table(R"(
[[plan]]
operation = "broadcast"
algorithm = "mst"
processors = 99
ratio = 0.5
date = "2026-01-02"
[[plan]]
mpi = "mpich"
operation = "alltoallw"
operator = "tutti"
ranks = [2, 2]
algorithm = "native"
)",
                                                          "old");
  const tools::TunedTable table =
      tools::tuned_table(present, {point(3, 8, "mst")}, {64, 0, "2026-11-26"});
  const selection::Table rows = selection::parse_table(table.text, "new");
  ASSERT_EQ(rows.rows().size(), 2U);
  EXPECT_EQ(rows.rows()[0].origin.processors, 64);
  EXPECT_DOUBLE_EQ(rows.rows()[0].origin.ratio, 0.8);  // the smaller gain
  EXPECT_EQ(rows.rows()[0].origin.date, "2026-11-26");
  EXPECT_EQ(rows.rows()[1].origin.processors, 99);
  EXPECT_EQ(rows.rows()[1].origin.date, "2026-01-02");
  ASSERT_EQ(rows.mpi_rows().size(), 1U);
  EXPECT_TRUE(rows.mpi_rows()[0].native);
  const auto name_on = [&](int processors) {
    selection::Chooser chooser({}, std::nullopt, {rows}, processors);
    selection::Question question;
    question.p = 3;
    return chooser.choose(question, 8);
  };
  EXPECT_EQ(name_on(64).decider, selection::Decider::table);
  EXPECT_EQ(name_on(2).decider, selection::Decider::shared_memory);
  EXPECT_NE(name_on(2).reason.find("is for 64 processors"), std::string::npos);
}

// A row that divides a class of sizes would make every call of that class search the table.
TEST(Rows, NewOnesDivideNoClassOfSizes) {
  const tools::TunedTable table = tools::tuned_table(
      {}, {point(3, 8, "mst"), point(3, 24, "fully_connected"), point(3, 3000, "chain")});
  const selection::Table rows = selection::parse_table(table.text, "new");
  ASSERT_EQ(rows.rows().size(), 2U);
  for (std::int64_t last = 2; last < (std::int64_t{1} << 40); last *= 2) {
    EXPECT_FALSE(rows.divides(Operation::broadcast, 3, {last / 2 + 1, last}, 2)) << last;
  }
}

TEST(Proposed, AreAFewDifferentAlgorithmsThatMayServe) {
  for (const Operation operation :
       {Operation::broadcast, Operation::allreduce, Operation::alltoall, Operation::scan}) {
    for (const int p : {2, 7, 16}) {
      selection::Question question;
      question.operation = operation;
      question.p = p;
      const auto plans = tools::proposed_plans(question, 4096, machine::load("host"));
      EXPECT_GE(plans.size(), 2U);
      EXPECT_LE(plans.size(),
                bench_most_plans - 2U);  // the untuned and the present one come on top
      for (const std::string& plan : plans) {
        const selection::Forced forced = selection::parse_plan(operation, plan);
        EXPECT_EQ(selection::rejection({forced.generator, forced.settings, plan, {}, {}}, question),
                  "")
            << plan;
        EXPECT_NE(plan, "native");
      }
    }
  }
}

class File : public testing::Test {
 protected:
  File()
      : folder_(std::filesystem::temp_directory_path() /
                ("tutti-tune-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~File() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const char* name) const { return folder_ / name; }
  static std::string contents(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  [[nodiscard]] int files() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(File, IsReplacedAsAWhole) {
  tools::require_writable(path("a.toml"));
  EXPECT_EQ(files(), 0);
  tools::write_file(path("a.toml"), "one");
  tools::write_file(path("a.toml"), "two");
  EXPECT_EQ(contents(path("a.toml")), "two");
  EXPECT_EQ(files(), 1);
  EXPECT_THROW(tools::require_writable("/proc/no/such.toml"), base::Error);
  EXPECT_THROW(tools::require_writable("/proc"), base::Error);
}

// No file may grow beyond ten bytes here, as on a full disk.
TEST_F(File, StaysAsItWasWhenThereIsNoRoom) {
  tools::write_file(path("a.toml"), "old");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{10, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(tools::write_file(path("a.toml"), std::string(1000, 'x')), base::Error);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(contents(path("a.toml")), "old");
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace tutti
