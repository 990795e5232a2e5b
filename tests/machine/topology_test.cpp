// SPDX-License-Identifier: BSD-3-Clause
// Routes are paths along existing links from source to destination, as short as can be, and the ones the papers name.
#include "machine/topology.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"

namespace tutti::machine {
namespace {

// The fewest links between all pairs, by breadth first search from every node.
std::vector<int> distances(const Topology& topology, int from) {
  const int vertices = topology.nodes() + 1;  // a switch at most
  std::vector<int> distance(static_cast<std::size_t>(vertices), -1);
  std::vector<int> queue{from};
  distance[static_cast<std::size_t>(from)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (int to = 0; to < vertices; ++to) {
      if (distance[static_cast<std::size_t>(to)] >= 0 || topology.link_between(queue[i], to).node < 0) continue;
      distance[static_cast<std::size_t>(to)] = distance[static_cast<std::size_t>(queue[i])] + 1;
      queue.push_back(to);
    }
  }
  return distance;
}

class EveryTopology : public testing::TestWithParam<const char*> {};

TEST_P(EveryTopology, RoutesAreShortestPaths) {
  const auto topology = parse_topology(GetParam());
  EXPECT_EQ(topology->name(), GetParam());
  for (int from = 0; from < topology->nodes(); ++from) {
    const std::vector<int> distance = distances(*topology, from);
    for (int to = 0; to < topology->nodes(); ++to) {
      const Route route = topology->route(from, to);
      int at = from;
      for (const Link link : route) {
        ASSERT_TRUE(topology->has(link));
        ASSERT_EQ(topology->ends(link).from, at);
        at = topology->ends(link).to;
        EXPECT_EQ(topology->link_between(topology->ends(link).from, at), link);
      }
      EXPECT_EQ(at, to);
      EXPECT_EQ(static_cast<int>(route.size()), distance[static_cast<std::size_t>(to)]) << from << " " << to;
    }
  }
}

TEST_P(EveryTopology, NodesAreFoundByLabelAndNumber) {
  const auto topology = parse_topology(GetParam());
  for (int node = 0; node < topology->nodes(); ++node) {
    EXPECT_EQ(topology->node(topology->label(node)), node);
    EXPECT_EQ(topology->label(node).size(), topology->label(0).size());
    const std::string plain = std::to_string(node);
    if (plain.size() != topology->label(0).size()) {
      EXPECT_EQ(topology->node(plain), node);
    }
  }
  EXPECT_EQ(topology->node("x"), -1);
  EXPECT_EQ(topology->node(""), -1);
  EXPECT_EQ(topology->node(std::to_string(topology->nodes()) + "0"), -1);
}

INSTANTIATE_TEST_SUITE_P(Machine, EveryTopology,
                         testing::Values("line:1", "line:8", "ring:2", "ring:7", "ring:8", "mesh:3x5", "mesh:4x4",
                                         "mesh:2x3x4", "torus:4x4", "torus:2x3x5", "hypercube:0", "hypercube:1",
                                         "hypercube:3", "hypercube:5", "crossbar:1", "crossbar:6"));

std::string route(const char* name, int from, int to) {
  const auto topology = parse_topology(name);
  return to_text(*topology, topology->route(from, to));
}

// The rightmost bit first: paper 004, section 3.
TEST(Routes, EcubeAsInPaper004) {
  EXPECT_EQ(route("hypercube:3", 2, 5), "010->011->001->101");
  EXPECT_EQ(route("hypercube:5", 0, 31), "00000->00001->00011->00111->01111->11111");  // figure 1
  EXPECT_EQ(route("hypercube:5", 2, 23), "00010->00011->00111->10111");
  EXPECT_EQ(route("hypercube:5", 14, 11), "01110->01111->01011");
}

// Figure 3: eight paths that all use the link 7 -> 15.
TEST(Routes, ContentionExperimentOfPaper004) {
  const auto cube = parse_topology("hypercube:7");
  const Link shared = cube->link_between(7, 15);
  const std::vector<Ends> pairs{{0, 127}, {1, 63}, {3, 31}, {7, 15}, {5, 79}, {6, 47}, {2, 95}, {4, 111}};
  for (const auto [from, to] : pairs) {
    const Route path = cube->route(from, to);
    EXPECT_EQ(std::count(path.begin(), path.end(), shared), 1) << from;
  }
  EXPECT_EQ(cube->label(5), "0000101");
}

TEST(Routes, RowsBeforeColumns) {
  EXPECT_EQ(route("mesh:3x4", 0, 10), "00->01->02->06->10");
  EXPECT_EQ(route("mesh:3x4", 10, 0), "10->09->08->04->00");
  EXPECT_EQ(route("torus:3x4", 0, 11), "00->03->11");
  EXPECT_EQ(route("ring:8", 0, 4), "0->1->2->3->4");
  EXPECT_EQ(route("ring:8", 1, 6), "1->0->7->6");
  EXPECT_EQ(route("crossbar:4", 1, 2), "1->*->2");
}

TEST(Names, WhatIsNotUnderstood) {
  for (const char* text : {"", "line", "line:", "line:0", "line:-1", "line:08", "mesh:", "mesh:4x", "mesh:4x0",
                           "tree:4", "hypercube:21", "hypercube:", "mesh:2000x2000", "line:8 ", "crossbar:0"}) {
    EXPECT_THROW(static_cast<void>(parse_topology(text)), base::Error) << text;
  }
}

}  // namespace
}  // namespace tutti::machine
