// SPDX-License-Identifier: BSD-3-Clause
// Tests the ratios of plans that ran in turn: ratios of pairs, with quartiles, in one placement or
// in all.
#include "bench/in_turn.hpp"

#include <gtest/gtest.h>

#include "bench/choices.hpp"

namespace tutti {
namespace {

using tools::Turn;

TEST(InTurn, RatiosAreThoseOfPairs) {
  // The machine gets slower all the time. The second plan takes half as long in every turn but one.
  std::vector<Turn> turns;
  for (int i = 1; i <= 8; ++i) turns.push_back({{2.0 * i, 1.0 * i}, "far"});
  turns[3].us[1] = 80;
  const tools::Ratio ratio = tools::ratio_of(turns, 1, 0);
  EXPECT_EQ(ratio.pairs, 8);
  EXPECT_DOUBLE_EQ(ratio.median, 0.5);
  EXPECT_DOUBLE_EQ(ratio.upper, 0.5);
  EXPECT_DOUBLE_EQ(tools::ratio_of(turns, 0, 1).median, 2);
  EXPECT_DOUBLE_EQ(tools::ratio_of(turns, 0, 0).median, 1);
}

TEST(InTurn, RatiosOfAPlacement) {
  const std::vector<Turn> turns = {
      {{1, 2}, "mixed"}, {{1, 3}, "near"}, {{1, 5}, "near"}, {{1, 4}, "near"}};
  const tools::Ratio near = tools::ratio_of(turns, 1, 0, "near");
  EXPECT_EQ(near.pairs, 3);
  EXPECT_DOUBLE_EQ(near.median, 4);
  EXPECT_DOUBLE_EQ(near.lower, 3);
  EXPECT_DOUBLE_EQ(near.upper, 5);
  EXPECT_EQ(tools::ratio_of(turns, 1, 0, "far").pairs, 0);
  EXPECT_EQ(tools::placements_in(turns), (std::vector<std::string>{"near", "mixed"}));
}

TEST(Choices, MeansAreGeometric) {
  tools::ChoiceReport report;
  report.names = {"default", "tuned"};
  report.rows = {{{"bcast", 8}, {}, {1, 4}, {}},
                 {{"bcast", 64}, {}, {1, 1}, {}},
                 {{"scan", 8}, {}, {1, 0.5}, {}}};
  EXPECT_DOUBLE_EQ(tools::mean_ratios(report, "bcast")[1], 2);
  EXPECT_DOUBLE_EQ(tools::mean_ratios(report, "scan")[1], 0.5);
  EXPECT_NEAR(tools::mean_ratios(report)[1], 1.2599, 1e-4);
  EXPECT_DOUBLE_EQ(tools::mean_ratios(report)[0], 1);
}

}  // namespace
}  // namespace tutti
