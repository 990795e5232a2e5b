// SPDX-License-Identifier: BSD-3-Clause
// Tests numberings of patterns: the rules hold for random patterns on several networks, the bound
// is a bound, and where the fewest steps are known they are found.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "traffic/numbering.hpp"

namespace tutti::traffic {
namespace {

using schedule::Operation;

Messages random_pattern(const machine::Topology& topology, int count, std::mt19937& random) {
  Messages messages;
  std::uniform_int_distribution<int> node(0, topology.nodes() - 1);
  std::set<std::pair<int, int>> seen;
  while (static_cast<int>(messages.size()) < count) {
    const int from = node(random), to = node(random);
    if (from != to && seen.insert({from, to}).second)
      messages.push_back({.from = from, .to = to, .route = {}});
  }
  return routed(std::move(messages), topology);
}

// Returns the fewest steps, by trying all.
int fewest(const Messages& pattern, const machine::Topology& topology, Receiving receiving) {
  for (int steps = 1;; ++steps) {
    Messages tried = pattern;
    std::vector<int> digits(pattern.size(), 1);
    for (bool more = true; more;) {
      for (std::size_t i = 0; i < tried.size(); ++i) tried[i].step = digits[i];
      if (violations(tried, pattern, topology, receiving).empty()) return steps;
      more = false;
      for (int& digit : digits) {
        if (++digit <= steps) {
          more = true;
          break;
        }
        digit = 1;
      }
    }
  }
}

TEST(Numbering, KeepsTheRulesOfRandomPatterns) {
  std::mt19937 random(7);
  for (const char* name :
       {"line:7", "ring:8", "mesh:3x4", "torus:3x3", "hypercube:4", "crossbar:9", "fattree:2x4"}) {
    const auto topology = machine::parse_topology(name);
    for (int turn = 0; turn < 6; ++turn) {
      const Messages pattern = random_pattern(*topology, 5 + 6 * turn, random);
      for (const auto receiving : {Receiving::any_number, Receiving::one_at_a_time}) {
        const Messages found = numbered(pattern, *topology, receiving);
        EXPECT_EQ(violations(found, pattern, *topology, receiving), std::vector<std::string>())
            << name;
        EXPECT_GE(last_step(found), bounds_of(pattern, *topology, receiving).least()) << name;
      }
    }
  }
}

TEST(Numbering, FindsTheFewestStepsOfSmallPatterns) {
  std::mt19937 random(11);
  for (const char* name : {"line:5", "ring:5", "mesh:2x3"}) {
    const auto topology = machine::parse_topology(name);
    for (int turn = 0; turn < 4; ++turn) {
      const Messages pattern = random_pattern(*topology, 6, random);
      const Messages found = numbered(pattern, *topology, Receiving::one_at_a_time);
      EXPECT_EQ(last_step(found), fewest(pattern, *topology, Receiving::one_at_a_time)) << name;
    }
  }
}

// On a crossbar a numbering is an edge colouring of a bipartite graph, which needs no more steps
// than the largest degree (König). On a hypercube n-1 steps suffice (paper 004, 4.1).
TEST(Numbering, ReachesTheBoundWhereItIsKnownToBeReached) {
  for (const char* name : {"crossbar:6", "crossbar:9", "hypercube:2", "hypercube:3"}) {
    const auto topology = machine::parse_topology(name);
    const Messages pattern =
        routed(pairs_of(Operation::alltoall, {.p = topology->nodes()}), *topology);
    const Messages found = numbered(pattern, *topology, Receiving::one_at_a_time);
    EXPECT_EQ(last_step(found), topology->nodes() - 1) << name;
  }
}

TEST(Numbering, IsTheSameEachTime) {
  const auto topology = machine::parse_topology("mesh:3x3");
  const Messages pattern =
      routed(pairs_of(Operation::alltoall, {.p = topology->nodes()}), *topology);
  const auto steps = [&] {
    std::vector<int> all;
    for (const Message& message : numbered(pattern, *topology, Receiving::any_number))
      all.push_back(message.step);
    return all;
  };
  EXPECT_EQ(steps(), steps());
}

}  // namespace
}  // namespace tutti::traffic
