// SPDX-License-Identifier: BSD-3-Clause
// Tests the BSP model: the paper's example, the fit to samples that known parameters have made,
// units, and raw lines.
#include "bsp/model.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "bsp/samples.hpp"

namespace tutti::tools {
namespace {

Gap some_gap() {
  Gap gap;
  gap.g_inf = 1e-9;
  gap.h_half = 500;
  gap.overhead = 200;
  return gap;
}

// Returns a surface of samples that follow the model exactly, over sizes and counts.
std::vector<GapSample> surface(const Gap& gap) {
  std::vector<GapSample> samples;
  for (double size = 1; size <= 1 << 16; size *= 2) {
    for (double count = 1; count <= 512 && size * count <= 1 << 20; count *= 2) {
      samples.push_back({size, count, gap.At(size * count, size)});
    }
  }
  return samples;
}

TEST(BspModel, TheExampleOfSection22) {
  const Gap gap = some_gap();
  EXPECT_NEAR(gap.At(1000, 1000) * 1000, 1700e-9, 1e-15);
  EXPECT_NEAR(gap.At(500, 100) * 500, 2000e-9, 1e-15);
}

TEST(BspModel, FindsWhatMadeTheSamples) {
  Gap made = some_gap();
  made.overhead = 20;
  const Gap found = gap_of(surface(made));
  EXPECT_NEAR(found.g_inf / made.g_inf, 1, 0.01);
  EXPECT_NEAR(found.h_half / made.h_half, 1, 0.1);
  EXPECT_NEAR(found.overhead / made.overhead, 1, 0.15);
  EXPECT_LT(found.error_bspstar, found.error_bsp);
  EXPECT_NEAR(found.regression_g, made.g_inf * (1 + made.overhead), 1e-12);
  EXPECT_NEAR(found.regression_l, made.g_inf * made.h_half, 1e-12);
}

TEST(BspModel, UnitsDescribeTheSameTime) {
  const Gap once = gap_of(surface(some_gap())), twice = in_plus_out(once);
  for (const double h : {1.0, 64.0, 5000.0}) {
    EXPECT_NEAR(once.At(h) * h, twice.At(2 * h) * 2 * h, 1e-15);
    EXPECT_NEAR(once.At(h, h / 2) * h, twice.At(2 * h, h) * 2 * h, 1e-15);
  }
}

TEST(BspModel, Predictions) {
  const BspMachine machine{2, 1e-6, 3e-6, some_gap()};
  const Superstep busy{1e-6, 1000, 10, 0}, empty{1e-6, 0, 0, 0};
  EXPECT_NEAR(predicted(machine, empty, Model::plain), 3e-6, 1e-15);
  EXPECT_NEAR(predicted(machine, busy, Model::plain), 2e-6 + 1e-6 + 3e-6, 1e-15);
  EXPECT_NEAR(predicted(machine, busy, Model::startup), 2e-6 + 1.5e-6 + 1e-6, 1e-15);
  EXPECT_NEAR(predicted(machine, busy, Model::overhead), 2e-6 + 3.5e-6 + 1e-6, 1e-15);
  const std::vector<Superstep> both{busy, empty};
  EXPECT_NEAR(predicted(machine, both, Model::overhead), 9.5e-6, 1e-15);
}

// Words and messages of each access cost its own gap. The superstep has its start-up once.
TEST(BspModel, PredictionsByAccess) {
  Gap puts = some_gap(), sends = some_gap();
  puts.overhead = 10;
  sends.g_inf = 2e-9;
  sends.h_half = 400;
  BspMachine machine{1, 1e-6, 3e-6, some_gap()};
  machine.gaps.emplace();
  (*machine.gaps)[0] = puts;
  (*machine.gaps)[4] = sends;
  Superstep step{1e-6, 700, 7, 0};
  step.moved[0] = {300, 3};
  step.moved[4] = {400, 4};
  EXPECT_NEAR(predicted(machine, step, Model::plain), 1e-6 + 300e-9 + 800e-9 + 3e-6, 1e-15);
  EXPECT_NEAR(predicted(machine, step, Model::startup), 1e-6 + 300e-9 + 800e-9 + 800e-9 + 1e-6,
              1e-15);
  EXPECT_NEAR(predicted(machine, step, Model::overhead), 3.9e-6 + 3 * 10e-9 + 4 * 400e-9, 1e-15);
  EXPECT_NEAR(predicted(machine, Superstep{1e-6, 0, 0, 0}, Model::plain), 2e-6, 1e-15);
}

TEST(BspSamples, TheLeastOfTwoPasses) {
  ProbeData first, again;
  for (const char* line : {"p,2", "f,dot,8,1e-09", "l,none,5e-07", "g,random,put,1,8,2e-08"})
    first.add(line);
  for (const char* line : {"p,2", "f,dot,8,2e-09", "l,none,4e-07", "g,random,put,1,8,1e-08"})
    again.add(line);
  first.keep_least(again);
  EXPECT_EQ(first.lines(), "p,2\nf,dot,8,1e-09\nl,none,4e-07\ng,random,put,1,8,1e-08\n");
  again.add("g,random,put,2,8,1e-08");
  EXPECT_THROW(first.keep_least(again), base::Error);
}

TEST(BspSamples, Lines) {
  ProbeData data;
  for (const char* line :
       {"p,4", "f,dot double,1024,1e-9", "l,no communication,5e-7", "g,random,put,1,8,2e-8",
        "g,random,put,8,8,1e-8", "g,random,get,1,8,3e-8"}) {
    data.add(line);
  }
  EXPECT_EQ(data.processes, 4);
  ASSERT_EQ(data.series.size(), 2U);
  EXPECT_EQ(data.series[0].samples.size(), 2U);
  EXPECT_EQ(data.series[1].access, "get");
  for (const char* line : {"", "g,random,put,1,8", "f,dot,x,1", "l,none,-1", "z,1"})
    EXPECT_THROW(data.add(line), base::Error);
}

}  // namespace
}  // namespace tutti::tools
