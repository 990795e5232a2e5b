// SPDX-License-Identifier: BSD-3-Clause
// Tests when a machine counts as busy, from given readings and from readings of this machine, whose
// result is not checked.
#include "support/quiet.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

namespace tutti {
namespace {

using tools::Load;
using tools::LoadReading;
using tools::LoadWatch;

// A simulated machine with two processors. `others`, `own` and `stolen` are numbers of processors
// that are busy all the time.
struct Machine {
  LoadReading now{.used = 0, .stolen = 0, .waited = 0, .running = 1, .processors = 2};
  double others = 0, own = 0, stolen = 0, waited = 0;
  double quiet_from = 1e9;  // the moment from which others use nothing
  int looks = 0;

  void pass(double seconds) {
    if (now.moment >= quiet_from) others = 0, now.running = 1;
    now.moment += seconds;
    now.own += own * seconds;
    now.used = now.used.value_or(0) + (others + own) * seconds;
    now.stolen = now.stolen.value_or(0) + stolen * seconds;
    now.waited = now.waited.value_or(0) + waited * seconds;
  }
  LoadWatch watch(int ranks) {
    return {ranks, [this] { return now; },
            [this](double seconds) {
              ++looks;
              pass(seconds);
            }};
  }
};

TEST(Quiet, OwnWorkIsNoDisturbance) {
  Machine machine;
  LoadWatch watch = machine.watch(2);
  EXPECT_EQ(watch.wait(5), "");
  EXPECT_EQ(machine.looks, 1);
  machine.own = 2;
  machine.pass(10);
  EXPECT_EQ(watch.disturbed(), "");
}

TEST(Quiet, OthersDisturbWhereNoProcessorIsLeftForThem) {
  Machine machine;
  machine.others = 0.8;
  EXPECT_EQ(machine.watch(1).wait(0), "");
  EXPECT_EQ(machine.watch(2).wait(0), "other processes used 0.8 of 2 processors");
  EXPECT_NE(machine.watch(16).wait(0), "");
  machine.others = 0.05;  // load of the system itself
  EXPECT_EQ(machine.watch(2).wait(0), "");
  Machine large;
  large.now.processors = 64;
  large.others = 40;
  EXPECT_EQ(large.watch(16).wait(0), "");
  EXPECT_NE(large.watch(32).wait(0), "");
}

TEST(Quiet, WaitsUntilItIsQuietButNotForever) {
  Machine machine;
  machine.others = 2;
  machine.now.running = 3;
  machine.quiet_from = 2;
  LoadWatch watch = machine.watch(2);
  EXPECT_EQ(watch.wait(10), "");
  EXPECT_GE(machine.now.moment, 2);
  EXPECT_LT(machine.now.moment, 3);
  Machine busy;
  busy.others = 2;
  EXPECT_NE(busy.watch(2).wait(10), "");
  EXPECT_LE(busy.now.moment, 10);
  EXPECT_GT(busy.now.moment, 9);
}

TEST(Quiet, WhatWasMeasuredCountsAsDisturbedFromTheLastLookOn) {
  Machine machine;
  machine.others = 1;
  machine.quiet_from = 1;
  LoadWatch watch = machine.watch(2);
  EXPECT_EQ(watch.wait(10), "");
  machine.pass(10);
  EXPECT_EQ(watch.disturbed(), "");
  machine.quiet_from = 1e9;
  machine.others = 0.4;
  machine.pass(10);  // 0.2 in the mean
  EXPECT_EQ(watch.disturbed(), "other processes used 0.2 of 2 processors");
  EXPECT_EQ(watch.disturbed(tools::refused_from), "");
}

TEST(Quiet, StealRunningAndWaitingAreSeen) {
  Machine machine;
  machine.stolen = 0.5;
  EXPECT_EQ(machine.watch(1).wait(0), "the host of this virtual machine took 0.5 of 2 processors");
  machine.stolen = 0;
  machine.now.running = 4;
  EXPECT_EQ(machine.watch(2).wait(0), "3 other processes run on 2 processors");
  machine.now.running = 1;
  machine.waited = 0.5;
  EXPECT_EQ(machine.watch(2).wait(0), "processes waited for a processor in 50 % of the time");
}

// The system counts ticks, so in 8 ms two processors may seem to have had 20 ms.
TEST(Quiet, TheTickOfAShortTimeIsNoDisturbance) {
  Machine machine;
  machine.own = 2;
  const LoadReading before = machine.now;
  machine.pass(0.008);
  machine.now.used = machine.now.used.value_or(0) + 0.004;
  const Load load = tools::load_between(before, machine.now);
  EXPECT_NEAR(load.others, 0.5, 1e-9);
  EXPECT_EQ(tools::disturbance(load, 2), "");
  machine.others = 0.5;
  machine.pass(2);
  EXPECT_EQ(tools::disturbance(tools::load_between(before, machine.now), 2),
            "other processes used 0.5 of 2 processors");
}

// A group with a limit of two of eight processors, as a container has.
TEST(Quiet, OthersOfTheGroupDisturbWhereItsLimitLeavesThemNothing) {
  LoadReading before, after;
  before.processors = after.processors = 8;
  before.quota = after.quota = 2;
  before.used = before.of_quota = 0;
  after.moment = 10;
  after.used = 70;  // mostly by other groups
  after.own = 10;
  after.of_quota = 15;
  const Load load = tools::load_between(before, after);
  EXPECT_DOUBLE_EQ(load.of_quota, 0.5);
  EXPECT_EQ(tools::disturbance(load, 1), "");
  EXPECT_EQ(tools::disturbance(load, 2),
            "other processes of the control group used 0.5 of the 2 processors that it may use");
  EXPECT_EQ(tools::disturbance(load, 2, 0.6), "");
  EXPECT_EQ(tools::disturbance(load, 3, 0.6), "other processes used 6.0 of 8 processors");
}

// Used by all on one processor, as the line of its number in /proc/stat says.
double used_on(int processor) {
  std::ifstream file("/proc/stat");
  const std::string name = "cpu" + std::to_string(processor);
  for (std::string word; file >> word;) {
    if (word != name) continue;
    double user = 0, nice = 0, system = 0, idle = 0, devices = 0, hard = 0, soft = 0;
    file >> user >> nice >> system >> idle >> devices >> hard >> soft;
    return (user + nice + system + hard + soft) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  return -1;
}

TEST(Quiet, OnlyProcessorsCountOnWhichThisProcessMayRun) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is but one processor";
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &all)) --last;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const double before = used_on(last);
  const LoadReading reading = tools::read_load();
  const double after = used_on(last);
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  if (before < 0) GTEST_SKIP() << "the system does not tell its processors apart";
  EXPECT_EQ(reading.processors, 1);
  EXPECT_EQ(reading.quota, 1);
  EXPECT_GE(reading.used.value_or(-1), before);
  EXPECT_LE(reading.used.value_or(1e12), after);
  EXPECT_FALSE(reading.running);  // is counted for all processors together
  EXPECT_FALSE(reading.waited);
  EXPECT_EQ(tools::read_load().processors, CPU_COUNT(&all));
}

TEST(Quiet, WhereNothingIsCountedNothingIsConcluded) {
  LoadReading before, after;
  after.moment = 1;
  after.own = 3;
  const Load load = tools::load_between(before, after);
  EXPECT_EQ(tools::disturbance_ahead(load, 8), "");
  after.used = 100;  // counted at one of the two moments only
  EXPECT_EQ(tools::disturbance_ahead(tools::load_between(before, after), 8), "");
}

TEST(Quiet, TheReadingsOfThisMachineMakeSense) {
  const LoadReading before = tools::read_load();
  volatile double sum = 0;
  while (tools::read_load().own < before.own + 0.02) sum = sum + 1;
  const LoadReading after = tools::read_load();
  EXPECT_GT(after.moment, before.moment);
  EXPECT_GE(after.processors, 1);
  EXPECT_GE(after.own, before.own + 0.02);
  EXPECT_GE(after.used.value_or(1e12), before.used.value_or(0));
  EXPECT_GE(after.running.value_or(1), 1);
}

}  // namespace
}  // namespace tutti
