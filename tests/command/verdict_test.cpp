// SPDX-License-Identifier: BSD-3-Clause
// Tests the verdict on records that are made here.
#include <gtest/gtest.h>

#include "verdict/judge.hpp"
#include "verdict/report.hpp"

namespace tutti::tools {
namespace {

constexpr int ranks = 4;

// A program of four ranks that runs so many seconds on a quiet machine, without collectives.
MpiRecord program_of(double seconds) {
  MpiRecord record;
  record.program = "./program";
  record.mpi = "openmpi";
  for (int rank = 0; rank < ranks; ++rank) {
    RecordedRank one;
    one.host = "here";
    one.joining = 1.1;
    one.begun = 1.2;
    one.ended = one.compared = 1.2 + seconds;
    record.ranks.push_back(one);
  }
  record.load.processors = record.load.quota = ranks;
  record.load_comparing = record.load;
  return record;
}

// Adds calls of one operation at a place of its own. In each, rank `late` comes `delay` seconds
// after the others, and the call takes `work` seconds from then on.
void add_calls(MpiRecord& record, const std::string& operation, int calls, double work,
               double delay = 0, int late = ranks - 1) {
  const int number = static_cast<int>(record.kinds.size());
  RecordedKind kind;
  kind.operation = operation;
  kind.place = "main (program), program.c:" + std::to_string(number);
  kind.members = ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    const double taken = work + (rank == late ? 0 : delay);
    kind.ranks.push_back({rank, static_cast<double>(calls), 8.0 * calls, calls * taken});
  }
  record.kinds.push_back(kind);
  for (int call = 0; call < calls; ++call) {
    std::vector<RecordedCall> members;
    for (int rank = 0; rank < ranks; ++rank) {
      const double begun = 2 + call * (work + delay) + (rank == late ? delay : 0);
      members.push_back({rank, number, begun, work + (rank == late ? 0 : delay), rank == 0});
    }
    record.samples.push_back(members);
  }
}

// Says that the calls of an operation take these times when they are made again.
void add_comparison(MpiRecord& record, const std::string& operation, double calls,
                    std::vector<double> tutti_us, std::vector<double> mpi_us) {
  record.compares = true;
  RepeatedCalls again;
  again.operation = operation;
  again.members = ranks;
  again.calls = calls;
  again.bytes = 8;
  again.tutti_us = std::move(tutti_us);
  again.mpi_us = std::move(mpi_us);
  record.compared.push_back(again);
}

Answer answer_to(const MpiRecord& record) {
  return judge(record).answer;
}

TEST(Verdict, WithoutCollectivesThereIsNothingToGain) {
  MpiRecord record = program_of(10);
  EXPECT_EQ(answer_to(record), Answer::no_collectives);
  add_calls(record, "allreduce", 100, 0.0001);
  const Verdict verdict = judge(record);
  EXPECT_EQ(verdict.answer, Answer::no_collectives);
  EXPECT_NEAR(verdict.seconds, 10, 1e-9);
  EXPECT_NEAR(verdict.starting, 0.1, 1e-9);
  EXPECT_NEAR(verdict.collectives, 0.01, 1e-9);
}

TEST(Verdict, AShortProgramIsTold) {
  MpiRecord record = program_of(0.5);
  add_calls(record, "allreduce", 100, 0.003);
  EXPECT_EQ(answer_to(record), Answer::too_short);
}

TEST(Verdict, WaitingForALateRankIsNotTuttisToChange) {
  MpiRecord record = program_of(10);
  add_calls(record, "allreduce", 1000, 0.0001, 0.005, 2);
  add_comparison(record, "allreduce", 1000, {10, 11, 12}, {100, 110, 120});
  const Verdict verdict = judge(record);
  EXPECT_EQ(verdict.answer, Answer::waits);
  EXPECT_NEAR(verdict.collectives, 0.1 + 5.0 * 3 / 4, 1e-9);
  EXPECT_NEAR(verdict.waiting, 5.0 * 3 / 4, 1e-9);
  ASSERT_FALSE(verdict.late.empty());
  EXPECT_EQ(verdict.late.front().rank, 2);
  EXPECT_NEAR(verdict.late.front().share, 1, 1e-9);
  EXPECT_NE(verdict.sentence.find("100 % of it for rank 2"), std::string::npos) << verdict.sentence;
}

TEST(Verdict, AComparisonDecides) {
  MpiRecord record = program_of(10);
  add_calls(record, "allreduce", 1000, 0.005);
  EXPECT_EQ(answer_to(record), Answer::unknown);
  MpiRecord faster = record, slower = record, unclear = record, little = record;
  add_comparison(faster, "allreduce", 1000, {4900, 5000, 5100}, {7000, 7100, 7300});
  add_comparison(slower, "allreduce", 1000, {4900, 5000, 5100}, {3000, 3100, 3300});
  add_comparison(unclear, "allreduce", 1000, {4000, 5000, 6000}, {4500, 5500, 6500});
  add_comparison(little, "allreduce", 1000, {4990, 5000, 5010}, {5040, 5050, 5060});
  const Verdict verdict = judge(faster);
  EXPECT_EQ(verdict.answer, Answer::helps);
  EXPECT_NEAR(verdict.more, 2.1, 1e-9);
  EXPECT_LE(verdict.least_more, verdict.more);
  EXPECT_GE(verdict.most_more, verdict.more);
  EXPECT_EQ(answer_to(slower), Answer::slows);
  EXPECT_NE(judge(slower).sentence.find("TUTTI_MPI_OFF=allreduce"), std::string::npos);
  EXPECT_EQ(answer_to(unclear), Answer::no_difference);
  EXPECT_EQ(answer_to(little), Answer::no_difference);
}

TEST(Verdict, AGainNamesWhatIsSlower) {
  MpiRecord record = program_of(10);
  add_calls(record, "allreduce", 1000, 0.003);
  add_calls(record, "gather", 1000, 0.001);
  add_comparison(record, "allreduce", 1000, {3000, 3010, 3020}, {5000, 5010, 5020});
  add_comparison(record, "gather", 1000, {1000, 1010, 1020}, {500, 510, 520});
  const Verdict verdict = judge(record);
  EXPECT_EQ(verdict.answer, Answer::helps);
  EXPECT_NE(verdict.sentence.find("TUTTI_MPI_OFF=gather"), std::string::npos) << verdict.sentence;
  EXPECT_EQ(verdict.compared.front().calls.operation, "allreduce") << "the most important first";
  EXPECT_TRUE(verdict.compared.front().is_significant());
}

TEST(Verdict, ABusyMachineGivesNone) {
  MpiRecord record = program_of(10);
  add_calls(record, "allreduce", 1000, 0.005);
  add_comparison(record, "allreduce", 1000, {4900, 5000, 5100}, {7000, 7100, 7300});
  MpiRecord while_comparing = record;
  record.load.others = 1;
  EXPECT_EQ(answer_to(record), Answer::busy);
  while_comparing.load_comparing.stolen = 1;
  EXPECT_EQ(answer_to(while_comparing), Answer::busy);
  EXPECT_EQ(judge(record).sentence.find("busy, not significant: "), 0U);
}

// Samples of some calls stand for all: rare long waits count, though no sample has one.
TEST(Verdict, TimesOfAllCallsCountAndSamplesDivideThem) {
  MpiRecord record = program_of(100);
  add_calls(record, "barrier", 10, 0.001);
  for (RankSums& sums : record.kinds.front().ranks) {
    sums.calls = 1000;
    sums.seconds = 21;
  }
  const Verdict verdict = judge(record);
  EXPECT_NEAR(verdict.collectives, 21, 1e-9);
  EXPECT_NEAR(verdict.waiting, 20, 1e-9);
  record.samples.clear();
  EXPECT_NEAR(judge(record).waiting, 0, 1e-9);
  EXPECT_NEAR(judge(record).not_sampled, 21, 1e-9);
}

// Rank 1 comes at 1 s, rank 2 at 2 s, and so on. All leave at 9 s.
TEST(Verdict, ARankWaitsForThoseThatItNeeds) {
  std::vector<RecordedCall> call;
  for (int rank = 0; rank < ranks; ++rank)
    call.push_back({rank, 0, static_cast<double>(rank), 9.0 - rank, rank == 2});
  const auto waits = [&](const std::string& operation, std::size_t rank) {
    return split(operation, call, rank).waiting;
  };
  EXPECT_EQ(waits("allreduce", 0), 3);
  EXPECT_EQ(waits("barrier", 2), 1);
  EXPECT_EQ(waits("barrier", 3), 0);
  EXPECT_EQ(waits("bcast", 0), 2);
  EXPECT_EQ(waits("bcast", 3), 0);
  EXPECT_EQ(waits("reduce", 0), 0);
  EXPECT_EQ(waits("gatherv", 2), 1);
  EXPECT_EQ(waits("scan", 3), 0);
  EXPECT_EQ(split("alltoall", call, 1).last, 3);
  EXPECT_EQ(split("alltoall", call, 1).working, 6);
  call[0].taken = 1;  // it left before the last one came
  EXPECT_EQ(waits("allreduce", 0), 1);
}

TEST(Verdict, CallsThatWereMadeAgainAreCurves) {
  MpiRecord record = program_of(10);
  add_comparison(record, "allreduce", 10, {1, 2, 3}, {2, 3, 4});
  add_comparison(record, "allreduce", 10, {10, 20, 30}, {20, 30, 40});
  record.compared.back().bytes = 1000;
  add_comparison(record, "barrier", 10, {1, 2, 3}, {2, 3, 4});
  record.compared.back().bytes = 0;
  const auto plots = verdict_curves(record, judge(record));
  ASSERT_EQ(plots.size(), 1U) << "a barrier has no size";
  ASSERT_EQ(plots[0].curves.size(), 2U);
  EXPECT_EQ(plots[0].curves[0].points.size(), 2U);
  EXPECT_EQ(plots[0].curves[1].points[1].y, 30);
  EXPECT_EQ(plots[0].curves[1].band[1].high, 40);
  EXPECT_NE(plot_svg(plots[0]).find("openmpi"), std::string::npos);
}

TEST(Verdict, TheTextHasTheFiguresAndEndsWithTheSentence) {
  MpiRecord record = program_of(10);
  add_calls(record, "allreduce", 1000, 0.0001, 0.005, 2);
  const Verdict verdict = judge(record);
  const std::string text = verdict_text(record, verdict);
  for (const char* const part : {"ran 10 s", "rank 2 (100 %)", "program.c:0", "allreduce"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  EXPECT_TRUE(text.ends_with(verdict.sentence + "\n"));
}

}  // namespace
}  // namespace tutti::tools
