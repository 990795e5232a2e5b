// SPDX-License-Identifier: BSD-3-Clause
// Tests the BSP model: the paper's example, the fit to samples that known parameters have made,
// units, and raw lines.
#include "bsp_model/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/processors.hpp"
#include "bsp/samples.hpp"
#include "bsp_model/machine.hpp"

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

// Samples of messages that take 1 us and 1 ns for each word, beside 2 us of the superstep.
Surface some_surface() {
  std::vector<GapSample> samples;
  for (const double size : {1.0, 64.0, 4096.0}) {
    for (const double count : {1.0, 8.0}) {
      samples.push_back({size, count, (2e-6 + count * (1e-6 + 1e-9 * size)) / (size * count)});
    }
  }
  return {samples, 2e-6};
}

TEST(BspSurface, IsExactBetweenAndBeyondSamplesOfALine) {
  const Surface surface = some_surface();
  for (const double size : {1.0, 30.0, 64.0, 5000.0, 1e6})
    for (const double count : {0.5, 1.0, 3.0, 8.0, 100.0})
      EXPECT_NEAR(surface.time(size, count), count * (1e-6 + 1e-9 * size), 1e-12);
  EXPECT_NEAR(surface.time(0.1, 1), surface.time(1, 1), 1e-15);
}

BspMachine sampled_machine() {
  BspMachine machine;
  machine.l = 2e-6;
  machine.surfaces.fill(some_surface());
  return machine;
}

Work working(double compute, Access access, const Work::Flow& flow) {
  Work work;
  work.compute = compute;
  work.flows[static_cast<std::size_t>(access)] = flow;
  return work;
}

// The thesis adds up the longest computation and the most words, whichever processes have them.
TEST(BspByProcess, TakesTheSlowestProcessNotTheSumOfMaxima) {
  BspMachine machine = sampled_machine();
  Superstep step;
  step.processes = {working(9e-6, Access::hpget, {0, 0, 0, 0, 0, 0}),
                    working(1e-6, Access::hpget, {0, 3000, 3, 0, 0, 0})};
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 2e-6 + 9e-6, 1e-15);
  step.processes[1].compute = 4e-6;
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 2e-6 + 4e-6 + 6e-6, 1e-12);
  machine.speed = 2;
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 2e-6 + 18e-6, 1e-12);
}

// One process writes before the other one can read, so both halves count; where both put at the
// same time, they write together and read together.
TEST(BspByProcess, TheSidesOfAnAccessFollowEachOther) {
  const BspMachine machine = sampled_machine();
  for (const Access access : {Access::put, Access::get, Access::send}) {
    Superstep step;
    step.processes = {working(0, access, {1000, 0, 1, 1, 0, 0}),
                      working(0, access, {0, 1000, 1, 1, 0, 0})};
    EXPECT_NEAR(predicted(machine, step, Model::by_process), 4e-6, 1e-12);
    step.processes = {working(0, access, {1000, 1000, 1, 1, 0, 0}), step.processes[0]};
    EXPECT_NEAR(predicted(machine, step, Model::by_process), 4e-6, 1e-12);
  }
}

TEST(BspByProcess, WordsToOneselfHaveTheirOwnPrice) {
  BspMachine machine = sampled_machine();
  Superstep step;
  step.processes = {working(0, Access::put, {0, 0, 0, 0, 1000, 1})};
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 2e-6 + 2e-6, 1e-12);
  machine.own.fill(Surface({{1000, 1, 2.5e-9}}, 2e-6));
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 2e-6 + 0.5e-6, 1e-12);
}

// Computation is in seconds of a processor. Without samples of their sharing, processors are busy
// all the time.
TEST(BspByProcess, ProcessesShareProcessors) {
  BspMachine machine = sampled_machine();
  machine.processors = 2;
  Superstep step;
  const Work busy = working(8e-6, Access::put, {}), idle;
  for (const auto& [count, expected] : {std::pair{1, 8e-6}, {2, 8e-6}, {3, 12e-6}, {4, 16e-6}}) {
    step.processes.assign(4, idle);
    std::fill_n(step.processes.begin(), count, busy);
    EXPECT_NEAR(predicted(machine, step, Model::by_process), 2e-6 + expected, 1e-15);
  }
}

// An access was sampled in four processes on two processors, of which one process takes half.
TEST(BspByProcess, AnAccessAloneTakesLessOfAProcessorThanTheSampledSuperstep) {
  BspMachine machine = sampled_machine();
  machine.processors = 2;
  Superstep step;
  step.processes.assign(4, Work());
  step.processes[0] = working(0, Access::hpget, {0, 1000, 1, 0, 0, 0});
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 2e-6 + 2e-6 / 2, 1e-12);
}

// Here the kernel gives each process a processor for its whole computation, so that the third of
// three begins when another has ended. Each superstep takes 1 us longer, as it is to wake those
// that have waited.
TEST(BspByProcess, ProcessesShareProcessorsAsSampled) {
  BspMachine machine = sampled_machine();
  machine.processors = 2;
  std::vector<GapSample> samples;
  for (const double seconds : {1e-6, 1e-5})
    for (const double active : {1.0, 2.0, 3.0, 4.0}) {
      const double time = 2e-6 + 1e-6 + seconds * (active > 2 ? 2 : 1);
      samples.push_back({seconds, active, time / (seconds * active)});
    }
  machine.sharing = Surface(samples, 2e-6);
  Superstep step;
  const Work busy = working(8e-6, Access::put, {}), shorter = working(4e-6, Access::put, {}), idle;
  step.processes = {busy, idle, busy, busy};
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 3e-6 + 16e-6, 1e-12);
  step.processes = {busy, shorter, idle, shorter};
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 3e-6 + 8e-6, 1e-12);
  step.processes = {busy, shorter, busy, idle};  // as if two and a half computed
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 3e-6 + 12e-6, 1e-12);
  step.processes = {idle, idle, idle, idle};
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 2e-6, 1e-15);
}

TEST(BspByProcess, WithoutSamplesItIsTheFormula) {
  BspMachine machine{1, 1e-6, 3e-6, some_gap()};
  Superstep step;
  step.processes = {working(1e-6, Access::hpput, {1000, 0, 10, 0, 0, 0})};
  EXPECT_NEAR(predicted(machine, step, Model::by_process), 1e-6 + 1e-6 + 3.5e-6, 1e-15);
}

TEST(BspSamples, TheLeastOfTwoPasses) {
  ProbeData first, again;
  for (const char* line :
       {"p,2", "f,dot,8,1e-09", "l,none,5e-07", "w,1,1e-05,3e-05", "g,random,put,1,8,2e-08"})
    first.add(line);
  for (const char* line :
       {"p,2", "f,dot,8,2e-09", "l,none,4e-07", "w,1,1e-05,2e-05", "g,random,put,1,8,1e-08"})
    again.add(line);
  first.keep_least(again);
  EXPECT_EQ(first.lines(),
            "p,2\nf,dot,8,1e-09\nl,none,4e-07\nw,1,1e-05,2e-05\ng,random,put,1,8,1e-08\n");
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
  for (const char* line : {"", "g,random,put,1,8", "f,dot,x,1", "l,none,-1", "w,1,1e-5", "z,1"})
    EXPECT_THROW(data.add(line), base::Error);
}

// Processes that share processors compute in turn, which a prediction for this host must know.
TEST(BspMachine, HostHasTheProcessorsThatMayBeUsed) {
  EXPECT_EQ(host_subject(64).machine.processors, static_cast<int>(base::usable_cpus()));
}

}  // namespace
}  // namespace tutti::tools
