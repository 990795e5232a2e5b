// SPDX-License-Identifier: BSD-3-Clause
// Tests which rows `tutti tune --mpi` writes, with times that are made up.
#include "tune/mpi.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tune/rows.hpp"

namespace tutti::tools {
namespace {

std::vector<Turn> turns(double ours, double theirs, int count = 12) {
  std::vector<Turn> made;
  for (int i = 0; i < count; ++i) made.push_back({{ours * (1 + i), theirs * (1 + i)}, "mixed"});
  return made;
}

MpiPoint point(const char* operation, selection::Range reach,
               std::vector<std::vector<Turn>> passes) {
  MpiPoint made{operation, false, 2, reach.last, reach};
  made.passes = std::move(passes);
  return made;
}

std::vector<selection::MpiRow> rows_of(const std::vector<MpiPoint>& points) {
  return native_rows(points, "openmpi", {2, 0, "2026-11-26"});
}

TEST(MpiRows, TheMpiHasToWinInBothPasses) {
  const selection::Range reach{0, 16};
  const auto won = turns(1, 0.9), even = turns(1, 0.995), lost = turns(1, 1.5);
  const auto rows = rows_of({point("gather", reach, {won, turns(1, 0.8)})});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].native);
  EXPECT_EQ(rows[0].operation, "gather");
  EXPECT_EQ(rows[0].ranks.last, 2);
  EXPECT_EQ(rows[0].bytes.last, 16);
  EXPECT_EQ(rows[0].origin.processors, 2);
  EXPECT_DOUBLE_EQ(rows[0].origin.ratio, 0.9);  // the smaller gain
  EXPECT_TRUE(rows_of({point("gather", reach, {won, even})}).empty());
  EXPECT_TRUE(rows_of({point("gather", reach, {lost, won})}).empty());
  EXPECT_TRUE(rows_of({point("gather", reach, {})}).empty());
  // A gain of less than 20 ns is none, and few turns decide nothing.
  const auto tiny = turns(0.02, 0.018), few = turns(1, 0.5, 3);
  EXPECT_TRUE(rows_of({point("gather", reach, {tiny, tiny})}).empty());
  EXPECT_TRUE(rows_of({point("gather", reach, {few, few})}).empty());
}

TEST(MpiRows, ReachesThatFollowEachOtherBecomeOneRow) {
  const auto won = turns(1, 0.5);
  const auto rows =
      rows_of({point("scan", {0, 16}, {won, won}), point("scan", {17, 128}, {won, won}),
               point("scan", {1025, 4096}, {won, won})});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].bytes.last, 128);
  EXPECT_EQ(rows[1].bytes.first, 1025);
}

// All sizes of a call whose size only some members know have one row.
TEST(MpiRows, WhereSizesAreUnknownTheMpiMustNotLoseAtAny) {
  const auto won = turns(1, 0.5), lost = turns(1, 1.1), even = turns(1, 1);
  EXPECT_EQ(
      rows_of({point("alltoallv", {}, {won, won}), point("alltoallv", {}, {even, even})}).size(),
      1U);
  EXPECT_TRUE(
      rows_of({point("alltoallv", {}, {won, won}), point("alltoallv", {}, {even, lost})}).empty());
}

TEST(MpiPoints, CoverAllSizesUpToTwiceTheLargest) {
  const std::vector<std::int64_t> sizes = {8, 64, 4096};
  for (const int ranks : {2, 3}) {
    const std::vector<MpiPoint> points = mpi_points(ranks, sizes);
    EXPECT_EQ(std::count_if(points.begin(), points.end(),
                            [](const MpiPoint& one) { return one.operation == "barrier"; }),
              1);
    std::int64_t last = -1;
    for (const MpiPoint& one : points) {
      if (one.operation != "allgatherv") continue;
      EXPECT_EQ(one.reach.first, last + 1);
      last = one.reach.last;
      EXPECT_EQ(one.bytes % ranks, 0);
      EXPECT_TRUE(one.reach.contains(one.bytes));
    }
    EXPECT_GE(last, sizes.back() * ranks);
  }
}

// Where processes share processors, the MPI may be a thousand times as fast.
TEST(MpiRows, ASmallRatioCanBeReadAgain) {
  const auto won = turns(100000, 1);
  const auto rows = rows_of({point("gather", {0, 16}, {won, won})});
  ASSERT_EQ(rows.size(), 1U);
  const selection::Table table = selection::parse_table(toml_of(rows[0]), "test");
  ASSERT_EQ(table.mpi_rows().size(), 1U);
  EXPECT_NEAR(table.mpi_rows()[0].origin.ratio, 1e-5, 1e-7);
}

TEST(MpiRows, EveryCollectiveMayHaveARow) {
  std::set<std::string> measured, read;
  std::vector<MpiPoint> points = mpi_points(2, {8});
  for (MpiPoint& one : points) {
    measured.insert(one.operation);
    one.passes.assign(2, turns(1, 0.5));
  }
  std::string text;
  for (const selection::MpiRow& row : rows_of(points)) text += toml_of(row);
  const selection::Table table = selection::parse_table(text, "rows");
  for (const selection::MpiRow& row : table.mpi_rows()) read.insert(row.operation);
  EXPECT_EQ(read, measured);
}

}  // namespace
}  // namespace tutti::tools
