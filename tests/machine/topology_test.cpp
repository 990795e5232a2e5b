// SPDX-License-Identifier: BSD-3-Clause
// Tests routes: they are paths along existing links from source to destination, they are shortest,
// and they are those that the papers name.
#include "machine/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"

namespace tutti::machine {
namespace {

// Returns the fewest links from a node to every vertex, by breadth-first search over the list of
// links.
std::vector<int> distances(const Topology& topology, int from) {
  std::vector<std::vector<int>> exits(static_cast<std::size_t>(topology.vertices()));
  for (int i = 0; i < topology.links(); ++i) {
    const Link link = topology.link_at(i);
    EXPECT_EQ(topology.index(link), i);
    if (!topology.has(link)) continue;
    const Ends ends = topology.ends(link);
    EXPECT_TRUE(ends.from == link.node || ends.to == link.node);
    exits[static_cast<std::size_t>(ends.from)].push_back(ends.to);
  }
  std::vector<int> distance(exits.size(), -1), queue{from};
  distance[static_cast<std::size_t>(from)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const int to : exits[static_cast<std::size_t>(queue[i])]) {
      if (distance[static_cast<std::size_t>(to)] >= 0) continue;
      distance[static_cast<std::size_t>(to)] = distance[static_cast<std::size_t>(queue[i])] + 1;
      queue.push_back(to);
    }
  }
  return distance;
}

// Checks that a route uses existing links, leads from one node to the other and visits no vertex
// twice.
void expect_path(const Topology& topology, const Route& route, int from, int to) {
  std::set<int> seen{from};
  int at = from;
  for (const Link link : route) {
    ASSERT_TRUE(topology.has(link));
    ASSERT_EQ(topology.ends(link).from, at);
    at = topology.ends(link).to;
    ASSERT_LT(at, topology.vertices());
    EXPECT_TRUE(seen.insert(at).second) << "loops";
    EXPECT_EQ(topology.link_between(topology.ends(link).from, at), link);
  }
  EXPECT_EQ(at, to);
}

class EveryTopology : public testing::TestWithParam<const char*> {};

TEST_P(EveryTopology, RoutesAreShortestPaths) {
  const auto topology = parse_topology(GetParam());
  EXPECT_EQ(topology->name(), GetParam());
  const bool shortest = !topology->name().starts_with("dragonfly");  // those use no third group
  Route again;
  for (int from = 0; from < topology->nodes(); ++from) {
    const std::vector<int> distance = distances(*topology, from);
    for (int to = 0; to < topology->nodes(); ++to) {
      const Route route = topology->route(from, to);
      expect_path(*topology, route, from, to);
      topology->route_into(from, to, again);
      EXPECT_EQ(again, route);
      if (shortest) {
        EXPECT_EQ(static_cast<int>(route.size()), distance[static_cast<std::size_t>(to)])
            << from << " " << to;
      }
    }
  }
}

// No two links have the same ends, and every link has a partner the other way.
TEST_P(EveryTopology, LinksGoBothWays) {
  const auto topology = parse_topology(GetParam());
  std::set<std::pair<int, int>> all;
  for (int i = 0; i < topology->links(); ++i) {
    if (!topology->has(topology->link_at(i))) continue;
    const Ends ends = topology->ends(topology->link_at(i));
    EXPECT_TRUE(all.emplace(ends.from, ends.to).second) << ends.from << " " << ends.to;
  }
  if (topology->name().starts_with("bus")) return;
  for (const auto& [from, to] : all) EXPECT_EQ(all.count({to, from}), 1U);
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

INSTANTIATE_TEST_SUITE_P(
    Machine, EveryTopology,
    testing::Values("line:1", "line:8", "ring:2", "ring:7", "ring:8", "mesh:3x5", "mesh:4x4",
                    "mesh:2x3x4", "torus:4x4", "torus:2x3x5", "hypercube:0", "hypercube:1",
                    "hypercube:3", "hypercube:5", "hypercube:6", "crossbar:1", "crossbar:6",
                    "bus:1", "bus:9", "torus:2x2x2x4", "torus:8x8", "mesh:8x8", "ring:64",
                    "line:63", "torus:3x4x5", "fattree:1", "fattree:5", "fattree:4x4",
                    "fattree:4x4x4", "fattree:2x2x2x2x2x2", "fattree:4x4x2/1x2x2",
                    "fattree:4x4x4/1x2x4", "fattree:3x5/2x2", "fattree:4x2x3/2x1x3",
                    "dragonfly:1x1x1", "dragonfly:1x4x2", "dragonfly:5x1x3", "dragonfly:2x2x2",
                    "dragonfly:5x4x2", "dragonfly:9x4x1", "dragonfly:4x3x5", "dragonfly:17x2x1"));

std::string route(const char* name, int from, int to) {
  const auto topology = parse_topology(name);
  return to_text(*topology, topology->route(from, to));
}

// E-cube corrects the rightmost bit first (paper 004, section 3).
TEST(Routes, EcubeAsInPaper004) {
  EXPECT_EQ(route("hypercube:3", 2, 5), "010->011->001->101");
  EXPECT_EQ(route("hypercube:5", 0, 31), "00000->00001->00011->00111->01111->11111");  // figure 1
  EXPECT_EQ(route("hypercube:5", 2, 23), "00010->00011->00111->10111");
  EXPECT_EQ(route("hypercube:5", 14, 11), "01110->01111->01011");
}

// In figure 3, eight paths all use the link 7 -> 15.
TEST(Routes, ContentionExperimentOfPaper004) {
  const auto cube = parse_topology("hypercube:7");
  const Link shared = cube->link_between(7, 15);
  const std::vector<Ends> pairs{{0, 127}, {1, 63}, {3, 31}, {7, 15},
                                {5, 79},  {6, 47}, {2, 95}, {4, 111}};
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

// From a vertex above both nodes there is only one way down. The destination also decides which way
// up is taken.
TEST(Routes, FatTreesSpreadDestinations) {
  EXPECT_EQ(route("fattree:2x2x2", 0, 1), "0->1.0->1");
  EXPECT_EQ(route("fattree:2x2x2", 0, 2), "0->1.0->2.0->1.1->2");
  EXPECT_EQ(route("fattree:2x2x2", 0, 3), "0->1.0->2.1->1.1->3");
  const auto tree = parse_topology("fattree:4x4x4");
  // In a shift, every link carries at most one message, so no two messages meet.
  for (int shift = 1; shift < 64; ++shift) {
    std::map<Link, int> loads;
    for (int node = 0; node < 64; ++node)
      for (const Link link : tree->route(node, (node + shift) % 64))
        EXPECT_EQ(++loads[link], 1) << shift;
  }
}

// In the CM-5 a node has 20 MB/s at the leaves, and 10 and 5 above. The test counts links of 20
// MB/s out of 4, 16 and 64 nodes.
TEST(Routes, FatTreeOfTheCm5Narrows) {
  const auto tree = parse_topology("fattree:4x4x4x4/1x2x2x4");
  const auto links_up = [&](int level) {
    int count = 0;
    for (int i = 0; i < tree->links(); ++i) {
      if (!tree->has(tree->link_at(i))) continue;
      const Ends ends = tree->ends(tree->link_at(i));
      const std::string lower = tree->label(ends.from), upper = tree->label(ends.to);
      if (lower.starts_with(std::to_string(level) + ".") &&
          upper.starts_with(std::to_string(level + 1) + "."))
        ++count;
    }
    return count;
  };
  EXPECT_EQ(links_up(1), 2 * 64);  // 2 from each of 64 groups of 4
  EXPECT_EQ(links_up(2), 4 * 16);  // 4 from each of 16 groups of 16
  EXPECT_EQ(links_up(3), 16 * 4);  // 16 from each of 4 groups of 64
}

TEST(Routes, DragonfliesUseOneLinkBetweenGroups) {
  EXPECT_EQ(route("dragonfly:5x4x2", 0, 1), "00->0.0->01");
  EXPECT_EQ(route("dragonfly:5x4x2", 0, 2), "00->0.0->0.1->02");
  EXPECT_EQ(route("dragonfly:5x4x2", 0, 8), "00->0.0->1.3->1.0->08");
  const auto network = parse_topology("dragonfly:5x4x2");
  for (int from = 0; from < 40; ++from) {
    for (int to = 0; to < 40; ++to) {
      const Route path = network->route(from, to);
      EXPECT_LE(path.size(), 5U);
      int between = 0;
      for (const Link link : path) {
        const Ends ends = network->ends(link);
        if (ends.from >= 40 && ends.to >= 40 && (ends.from - 40) / 4 != (ends.to - 40) / 4)
          ++between;
      }
      EXPECT_EQ(between, from / 8 == to / 8 ? 0 : 1);
    }
  }
}

TEST(Routes, AllMessagesOfABusMeet) {
  EXPECT_EQ(route("bus:4", 1, 2), "1->[->]->2");
  const auto bus = parse_topology("bus:4");
  EXPECT_EQ(bus->route(0, 1)[1], bus->route(3, 2)[1]);
}

// Routes on large networks are computed without tables of all pairs.
TEST(Routes, LargeNetworks) {
  for (const char* name : {"hypercube:17", "mesh:256x256", "fattree:16x16x16x16",
                           "dragonfly:65x32x16", "crossbar:65536"}) {
    const auto topology = parse_topology(name);
    for (int i = 0; i < 1000; ++i) {
      const int from = i * 7919 % topology->nodes(), to = i * 104729 % topology->nodes();
      expect_path(*topology, topology->route(from, to), from, to);
    }
  }
}

TEST(Names, WhatIsNotUnderstood) {
  for (const char* text : {"",
                           "line",
                           "line:",
                           "line:0",
                           "line:-1",
                           "line:08",
                           "mesh:",
                           "mesh:4x",
                           "mesh:4x0",
                           "tree:4",
                           "hypercube:21",
                           "hypercube:",
                           "mesh:2000x2000",
                           "line:8 ",
                           "crossbar:0",
                           "bus:0",
                           "fattree:",
                           "fattree:4x",
                           "fattree:4x4/",
                           "fattree:4x4/1",
                           "fattree:4/0",
                           "fattree:2000x2000",
                           "fattree:4x4/1x1000000",
                           "dragonfly:4x4",
                           "dragonfly:1x1000000x1",
                           "dragonfly:0x1x1",
                           "graph:",
                           "graph:/nowhere",
                           "mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1",
                           "line:99999999999999999999",
                           "fattree:1000000/1000000"}) {
    EXPECT_THROW(static_cast<void>(parse_topology(text)), base::Error) << text;
  }
}

}  // namespace
}  // namespace tutti::machine
