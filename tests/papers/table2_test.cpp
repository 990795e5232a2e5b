// SPDX-License-Identifier: BSD-3-Clause
// Tests table 2 of paper 001: the times that the model gives, and their ratios to the printed ones.
#include <gtest/gtest.h>

#include "machine/profile.hpp"
#include "papers/001/table2.hpp"
#include "schedule/printer.hpp"

namespace tutti::papers {
namespace {

using schedule::Operation;

// The expected milliseconds were computed independently for the profile R1.2: short, long, one
// factor per dimension, best hybrid.
TEST(Table2, TimesOfTheProfileR12) {
  const double expected[8][4] = {{1.44, 8.80, 1.44, 1.44}, {1.62, 8.84, 1.62, 1.62},
                                 {13.2, 11.4, 6.71, 6.07}, {190, 50.7, 49.7, 49.0},
                                 {2.90, 14.7, 2.90, 2.88}, {4.35, 14.9, 4.35, 3.06},
                                 {97.3, 25.2, 19.5, 14.5}, {1513, 182, 182, 177}};
  const auto table = table2(machine::load("paragon-512-R1.2"));
  ASSERT_EQ(table.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    const double ours[] = {table[i].shortest.time, table[i].longest.time, table[i].one_factor.time,
                           table[i].hybrid.time};
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(ours[j] / 1e3, expected[i][j], .006 * expected[i][j]) << i << " " << j;
  }
}

// The iCC times published on Usenet (1995-03-17), which the profile is fitted to: 8 B, 64 KB, 1 MB.
TEST(Table2, ProfileR12MeetsThePublishedTimes) {
  const auto table = table2(machine::load("paragon-512-R1.2"));
  const std::pair<std::size_t, double> published[] = {{0, 1.4}, {2, 6.9},  {3, 49.3},
                                                      {4, 2.9}, {6, 19.5}, {7, 179.1}};
  for (const auto& [row, ms] : published)
    EXPECT_NEAR(table[row].one_factor.time / 1e3, ms, .035 * ms) << row;
}

void check_ratios(const char* profile, double tolerance) {
  for (const Table2Row& row : table2(machine::load(profile))) {
    const double ratio = row.blacs / row.one_factor.time;
    EXPECT_NEAR(ratio, row.printed, tolerance * row.printed)
        << profile << " " << schedule::to_text(row.operation) << " " << row.bytes;
  }
}
TEST(Table2, RatiosAreWithinTolerance) {
  check_ratios("paragon-512-R1.2", .185);  // 18 %, in whole percents
  check_ratios("paragon-512-R1.3", .135);
}

// If both libraries have the same rates, the ratio is at most q/2 for the broadcast and q for the
// sum.
TEST(Table2, EqualRatesBoundTheRatios) {
  for (const Table2Row& row : table2(machine::load("paragon-512-R1.2"))) {
    const double ratio = row.shortest.time / row.hybrid.time;
    EXPECT_LE(ratio, row.operation == Operation::broadcast ? 4.51 : 9.02);
    EXPECT_GE(ratio, .999);
  }
}

}  // namespace
}  // namespace tutti::papers
