// SPDX-License-Identifier: BSD-3-Clause
// Tests loads, conflicts and granted paths: the properties that paper 004 states for its
// algorithms, and known counts on lines and meshes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "traffic/constraints.hpp"
#include "traffic/load.hpp"

namespace tutti::traffic {
namespace {

using schedule::Operation;
using schedule::Shape;

Messages on(const machine::Topology& topology, Operation operation, const char* name,
            Shape shape = {}) {
  shape.p = topology.nodes();
  return routed(messages_of(*algorithms::find(operation, name), shape), topology);
}

std::vector<std::string> problems(const Messages& schedule, const machine::Topology& topology) {
  return violations(schedule, pairs_of(Operation::alltoall, {.p = topology.nodes()}), topology,
                    Receiving::one_at_a_time);
}

class Exchanges : public testing::TestWithParam<int> {};

// Paper 004, 4.1 and 4.2, states this for the three exchanges.
TEST_P(Exchanges, LinearPairwiseAndStableAreFreeOfContention) {
  const auto cube = machine::parse_topology(fmt::format("hypercube:{}", GetParam()));
  const int n = cube->nodes();
  for (const char* name : {"linear", "pairwise", "stable"}) {
    const Messages messages = on(*cube, Operation::alltoall, name);
    EXPECT_EQ(problems(messages, *cube), std::vector<std::string>()) << name;
    EXPECT_EQ(most_load(messages, *cube), 1);
    std::map<machine::Link, int> uses;
    for (const Message& message : messages)
      for (const machine::Link link : message.route) ++uses[link];
    for (const auto& [link, count] : uses) EXPECT_EQ(count, n / 2);
    EXPECT_EQ(static_cast<int>(uses.size()), n * GetParam());
  }
  EXPECT_EQ(last_step(on(*cube, Operation::alltoall, "linear")), n - 1);
  EXPECT_EQ(last_step(on(*cube, Operation::alltoall, "pairwise")), n - 1);
  const Messages stable = on(*cube, Operation::alltoall, "stable");
  EXPECT_EQ(last_step(stable), n == 2 ? 1 : n);
  EXPECT_EQ(least_gap(stable), n > 2 ? 2 : 0);
}

// Paper 004, section 4: naive takes 3n/2 - 2 steps if a path goes to the lowest number.
TEST_P(Exchanges, NaiveTakesHalfAsLongAgain) {
  const auto cube = machine::parse_topology(fmt::format("hypercube:{}", GetParam()));
  const int n = cube->nodes();
  const Messages steps = granted(on(*cube, Operation::alltoall, "naive"), *cube);
  EXPECT_EQ(last_step(steps), n == 2 ? 1 : 3 * n / 2 - 2);
  EXPECT_EQ(
      violations(steps, pairs_of(Operation::alltoall, {.p = n}), *cube, Receiving::any_number),
      std::vector<std::string>());
}

// If no message is delayed, steps are rounds.
TEST_P(Exchanges, GrantingKeepsSchedulesWithoutContention) {
  const auto cube = machine::parse_topology(fmt::format("hypercube:{}", GetParam()));
  for (const char* name : {"linear", "pairwise", "standard"}) {
    Messages messages = on(*cube, Operation::alltoall, name);
    const Messages steps = granted(messages, *cube);
    ASSERT_EQ(steps.size(), messages.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_EQ(steps[i].step, messages[i].step) << name;
      EXPECT_EQ(to_text(steps[i], *cube), to_text(messages[i], *cube)) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Paper004, Exchanges, testing::Values(1, 2, 3, 4, 5, 6));

TEST(Conflicts, CircleHasOneAndMore) {
  const auto cube = machine::parse_topology("hypercube:3");
  const auto found = conflicts(on(*cube, Operation::alltoall, "circle"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(to_text(found[0], *cube), "step 3, link 010->000: messages 011->000 and 010->100");
  const std::map<int, std::size_t> expected{{4, 5}, {5, 17}, {6, 49}, {7, 129}};
  for (const auto& [dimensions, count] : expected) {
    const auto larger = machine::parse_topology(fmt::format("hypercube:{}", dimensions));
    EXPECT_EQ(conflicts(on(*larger, Operation::alltoall, "circle")).size(), count);
  }
}

std::vector<int> most_per_step(const Messages& messages, const machine::Topology& topology) {
  std::vector<int> most;
  for (const StepLoad& load : loads(messages, topology)) most.push_back(load.most);
  return most;
}

// The minimum spanning tree has no conflicts on a line (paper 001, 3.1.1), for any root.
TEST(Loads, MinimumSpanningTreeOnLines) {
  for (int p = 1; p <= 33; ++p) {
    const auto line = machine::parse_topology(fmt::format("line:{}", p));
    for (int root = 0; root < p; ++root)
      EXPECT_LE(most_load(on(*line, Operation::broadcast, "mst", {.root = root}), *line), 1)
          << p << " " << root;
  }
}

// The order furthest first has no conflicts on a mesh. Nearest first loads links with up to 16
// messages.
TEST(Loads, NearestFirstOnTheParagon) {
  const auto mesh = machine::parse_topology("mesh:16x32");
  EXPECT_EQ(most_per_step(on(*mesh, Operation::broadcast, "tree"), *mesh), std::vector<int>(9, 1));
  EXPECT_EQ(most_per_step(on(*mesh, Operation::broadcast, "hypercube"), *mesh),
            (std::vector<int>{1, 2, 4, 8, 16, 1, 2, 4, 8}));
  EXPECT_EQ(most_per_step(on(*mesh, Operation::allreduce, "bidirectional_exchange"), *mesh),
            (std::vector<int>{1, 2, 4, 8, 16, 1, 2, 4, 8}));
}

TEST(Loads, RingsAndCrossbars) {
  const auto line = machine::parse_topology("line:9"), ring = machine::parse_topology("ring:9");
  const auto crossbar = machine::parse_topology("crossbar:9");
  EXPECT_EQ(most_load(on(*line, Operation::alltoall, "linear"), *line), 4);
  EXPECT_EQ(most_load(on(*ring, Operation::alltoall, "linear"), *ring), 4);
  EXPECT_EQ(most_load(on(*crossbar, Operation::alltoall, "linear"), *crossbar), 1);
  EXPECT_EQ(most_load(on(*crossbar, Operation::reduce, "fully_connected"), *crossbar), 8);
}

TEST(Messages, StepsAreRoundsWithMessages) {
  const schedule::Generator& g = *algorithms::find(Operation::scatter, "mst");
  const Messages messages = messages_of(g, {.p = 8});
  EXPECT_EQ(last_step(messages), 3);
  EXPECT_TRUE(one_port(messages));
  EXPECT_EQ(messages[0].blocks, 4);
  EXPECT_FALSE(messages[0].forwards);
  EXPECT_TRUE(messages.back().forwards || messages.back().from == 0);
  EXPECT_FALSE(
      one_port(messages_of(*algorithms::find(Operation::broadcast, "fully_connected"), {.p = 3})));
  const auto line = machine::parse_topology("line:7");
  EXPECT_THROW(static_cast<void>(routed(messages, *line)), base::Error);
}

// A forwarded message waits until its data have arrived.
TEST(Messages, GrantedPathsWaitForData) {
  const auto line = machine::parse_topology("line:8");
  const Messages ring = granted(
      messages_of(*algorithms::find(Operation::broadcast, "increasing_ring"), {.p = 8}), *line);
  EXPECT_EQ(last_step(ring), 7);
  const Messages split =
      granted(messages_of(*algorithms::find(Operation::broadcast, "split_ring"), {.p = 8}), *line);
  for (const Message& message : split) {
    if (message.from == 7) {
      EXPECT_EQ(message.step, 3);  // 0->7 finds 0->1 taken in step 1
    }
  }
}

TEST(Constraints, EachIsNamed) {
  const auto cube = machine::parse_topology("hypercube:2");
  const Messages wanted = pairs_of(Operation::alltoall, {.p = 3});
  const Messages schedule =
      routed({{1, 0, 1}, {1, 0, 2}, {1, 3, 1}, {2, 2, 1}, {2, 2, 1}, {3, 1, 0}, {3, 2, 0}}, *cube);
  EXPECT_EQ(violations(schedule, wanted, *cube, Receiving::one_at_a_time),
            (std::vector<std::string>{"step 2, link 10->11: messages 10->01 and 10->01",
                                      "step 2, link 11->01: messages 10->01 and 10->01",
                                      "step 1, rank 00 sends 2 messages: 00->01, 00->10",
                                      "step 2, rank 10 sends 2 messages: 10->01, 10->01",
                                      "step 1, rank 01 receives 2 messages: 00->01, 11->01",
                                      "step 2, rank 01 receives 2 messages: 10->01, 10->01",
                                      "step 3, rank 00 receives 2 messages: 01->00, 10->00",
                                      "step 1: message 11->01 is not asked for",
                                      "01->10: no message in any step",
                                      "10->01: sent in step 2 and again in step 2"}));
}

}  // namespace
}  // namespace tutti::traffic
