// SPDX-License-Identifier: BSD-3-Clause
// Compares complete exchanges on a circuit-switched hypercube with the statements of paper 004 on
// its algorithms and its machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "machines.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {
namespace {

using machine::Machine;
using machine::Ports;
using What = schedule::Operation;

// In section 5, all receives are posted before the exchange.
JobOperation exchange(const char* algorithm, int d, std::int64_t block) {
  JobOperation made = operation(What::alltoall, algorithm, {.p = 1 << d}, block << d);
  made.posting = Posting::ahead;
  made.copies = Copies::free;
  return made;
}

class UnitSteps : public testing::TestWithParam<int> {};

// By section 4, naive takes 3n/2 - 2 steps if the lowest number gets a path, and the others take n
// - 1. With one receive at a time naive takes 2n - 3.
TEST_P(UnitSteps, Counts) {
  const int d = GetParam(), n = 1 << d;
  const Machine any = unit_steps(fmt::format("hypercube:{}", d), Ports::unlimited);
  const Machine one = unit_steps(fmt::format("hypercube:{}", d), Ports::duplex);
  EXPECT_EQ(simulate(any, job_of(exchange("naive", d, 1))).time, n == 2 ? 1 : 3 * n / 2 - 2);
  EXPECT_EQ(simulate(one, job_of(exchange("naive", d, 1))).time, std::max(1, 2 * n - 3));
  for (const Machine& machine : {any, one}) {
    for (const char* name : {"linear", "pairwise"}) {
      const Report report = simulate(machine, job_of(exchange(name, d, 1)));
      EXPECT_EQ(report.time, n - 1) << name;
      EXPECT_EQ(report.contentions, 0) << name;
      EXPECT_EQ(report.messages, n * (n - 1)) << name;
    }
  }
}

// Each directed link must carry n/2 messages.
TEST_P(UnitSteps, LinkUse) {
  const int d = GetParam(), n = 1 << d;
  const Machine machine = unit_steps(fmt::format("hypercube:{}", d), Ports::unlimited);
  for (const char* name : {"naive", "linear", "pairwise", "stable"}) {
    const Report report = simulate(machine, job_of(exchange(name, d, 3)));
    ASSERT_EQ(report.links.size(), static_cast<std::size_t>(n * d));
    for (const LinkUse& link : report.links) {
      EXPECT_EQ(link.messages, n / 2) << name;
      EXPECT_EQ(link.bytes, 3 * n / 2) << name;
      EXPECT_EQ(link.busy, n / 2) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, UnitSteps, testing::Values(1, 2, 3, 4, 5, 6, 7, 8));

// The schedule in figure 8, which differs from the procedure, has a conflict in step 3. The
// simulator must name it.
TEST(Contentions, CircleIsNamed) {
  JobOperation circle = exchange("circle", 3, 1);
  circle.posting = Posting::by_round;
  const Machine machine = unit_steps("hypercube:3", Ports::unlimited);
  SimulationOptions options;
  options.top = 1000;
  const Report report = simulate(machine, job_of(circle), options);
  ASSERT_GT(report.contentions, 0);
  ASSERT_EQ(report.worst.size(), static_cast<std::size_t>(report.contentions));
  const auto first = std::min_element(report.worst.begin(), report.worst.end(),
                                      [](const auto& a, const auto& b) { return a.time < b.time; });
  EXPECT_EQ(to_text(*first, machine),
            "step 3, link 010->000: message 011->000 waited 1 us for 010->100");
}

// Section 6.3: without any synchronisation, drift comes from path lengths alone. At 1024 bytes,
// pairwise is best and stable is better than linear.
TEST(Drift, StableBeatsLinear) {
  for (const int d : {5, 6, 7}) {
    const Machine machine = ipsc(d);
    JobOperation stable = exchange("stable", d, 1024);
    stable.idle = 95 + 0.394 * 1024;
    const Report linear = simulate(machine, job_of(exchange("linear", d, 1024)));
    const Report steady = simulate(machine, job_of(stable));
    const Report pairwise = simulate(machine, job_of(exchange("pairwise", d, 1024)));
    EXPECT_LT(steady.time, linear.time) << d;
    EXPECT_LT(pairwise.time, steady.time) << d;
    EXPECT_EQ(pairwise.contentions, 0);
    EXPECT_LT(steady.contentions, linear.contentions);
    double expected = 0;
    for (int i = 1; i < 1 << d; ++i)
      expected += 95 + 0.394 * 1024 + 10.3 * __builtin_popcount(static_cast<unsigned>(i));
    EXPECT_NEAR(pairwise.time, expected, 1e-3);
  }
  // Without hop time no ranks drift apart.
  for (const int d : {3, 5, 7}) {
    const double unit = 95 + 0.394 * 1024;
    EXPECT_NEAR(simulate(ipsc(d, 0), job_of(exchange("naive", d, 1024))).time,
                (3 << d) / 2 * unit - 2 * unit, 1e-3);
    EXPECT_NEAR(simulate(ipsc(d, 0), job_of(exchange("linear", d, 1024))).time,
                ((1 << d) - 1) * unit, 1e-3);
  }
}

// By procedure stable of section 4.2, both nodes have an idle step after their message, so stable
// is no tie with linear.
TEST(Drift, StableIdlesOnTwoNodes) {
  JobOperation stable = exchange("stable", 1, 1024);
  stable.idle = 95 + 0.394 * 1024;
  const double linear = simulate(ipsc(1), job_of(exchange("linear", 1, 1024))).time;
  EXPECT_NEAR(simulate(ipsc(1), job_of(stable)).time, linear + stable.idle, 1e-6);
}

// By section 5, a node sends and receives at the same time if both begin at nearly the same time.
// Two nodes that exchange blocks do, however far they are from each other, and however the path is
// set up.
TEST(Windows, MessagesOfAPairBeginTogether) {
  using machine::Switching;
  JobOperation pairwise = exchange("pairwise", 7, 1024);
  pairwise.posting = Posting::by_round;
  for (const auto switching :
       {Switching::circuit, Switching::circuit_by_links, Switching::wormhole}) {
    Machine machine = ipsc(7);
    machine.network.switching = switching;
    machine.node.ports = Ports::windowed;
    machine.node.window = 10;
    double expected = 0;
    for (int i = 1; i < 1 << 7; ++i)
      expected += 95 + 0.394 * 1024 + 10.3 * __builtin_popcount(static_cast<unsigned>(i));
    EXPECT_NEAR(simulate(machine, job_of(pairwise)).time, expected, 1e-3)
        << machine::to_text(switching);
  }
}

// Figures 3 and 4: eight messages pass the link 7 -> 15. Returns the time of the first `count` of
// them, with 1000 bytes each.
double contending(int count) {
  constexpr int pairs[8][2] = {{0, 127}, {1, 63}, {3, 31}, {7, 15},
                               {5, 79},  {6, 47}, {2, 95}, {4, 111}};
  JobOperation experiment;
  experiment.shape.p = 128;
  experiment.buffers = {1, 1, 0, 1};
  experiment.bytes = 1000;
  experiment.programs.resize(128, schedule::Program(1));
  for (int i = 0; i < count; ++i) {
    experiment.programs[static_cast<std::size_t>(pairs[i][0])][0].send(
        {{schedule::Buffer::input, 0}}, schedule::Rank{pairs[i][1]});
    experiment.programs[static_cast<std::size_t>(pairs[i][1])][0].receive(
        {{schedule::Buffer::output, 0}}, schedule::Rank{pairs[i][0]});
  }
  return simulate(ipsc(7), job_of(experiment)).time;
}

// By section 2.3, eight messages take more than seven times as long as one.
TEST(EdgeContention, EightMessagesOnOneLink) {
  const double ratio = contending(8) / contending(1);
  EXPECT_GT(ratio, 7.0);
  EXPECT_LT(ratio, 7.6);
  for (int count = 1; count < 8; ++count) EXPECT_LT(contending(count), contending(count + 1));
}

}  // namespace
}  // namespace tutti::simulate
