// SPDX-License-Identifier: BSD-3-Clause
// Tests networks from files. Routes that a file lists are taken as they are; the others are
// shortest and prefer the vertex that is named first.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "machine/graph_file.hpp"
#include "machine/machine.hpp"

namespace tutti::machine {
namespace {

const std::string office = R"([graph]
nodes = ["ada", "bob", "z"]
switches = ["top", "low"]
links = ["ada <-> low", "ada <-> top", "bob <-> low", "bob <-> top", "z -> top", "low -> z",
         "low <-> top"]
routes = ["bob -> low -> ada"]
)";

std::string route(const Topology& graph, const char* from, const char* to) {
  return to_text(graph, graph.route(graph.node(from), graph.node(to)));
}

TEST(Graphs, RoutesAreListedOrShortest) {
  const auto graph = parse_graph(office, "office.toml", "graph:office.toml");
  EXPECT_EQ(graph->name(), "graph:office.toml");
  EXPECT_EQ(graph->nodes(), 3);
  EXPECT_EQ(graph->vertices(), 5);
  EXPECT_EQ(route(*graph, "ada", "bob"), "ada->top->bob");
  EXPECT_EQ(route(*graph, "bob", "ada"), "bob->low->ada");
  EXPECT_EQ(route(*graph, "ada", "z"), "ada->low->z  ");
  EXPECT_EQ(route(*graph, "z", "ada"), "z  ->top->ada");
  EXPECT_TRUE(graph->route(0, 0).empty());
}

TEST(Graphs, LabelsAreFilledUp) {
  const auto graph = parse_graph(office, "office.toml", "graph:office.toml");
  EXPECT_EQ(graph->label(2), "z  ");
  EXPECT_EQ(graph->node("z"), 2);
  EXPECT_EQ(graph->node("z  "), 2);
  EXPECT_EQ(graph->node("low"), -1);
  EXPECT_EQ(graph->node(""), -1);
}

// A switch with many links must not make every vertex own as many.
TEST(Graphs, LinksBelongToTheSmallerEnd) {
  std::string star = "[graph]\nnodes = 500\nswitches = [\"hub\"]\nlinks = [";
  for (int i = 0; i < 500; ++i) star += "\"" + std::to_string(i) + " <-> hub\",";
  const auto graph = parse_graph(star + "]\n", "star.toml", "graph:star.toml");
  EXPECT_LE(graph->ports(), 2);
  EXPECT_EQ(graph->route(3, 499).size(), 2U);
}

// Regular topologies that are listed link by link must give routes of the same lengths.
TEST(Graphs, RegularNetworksWrittenDown) {
  for (const char* name :
       {"mesh:4x4", "ring:9", "hypercube:4", "torus:3x3x3", "fattree:3x3", "crossbar:7"}) {
    const auto network = parse_topology(name);
    std::string text = "[graph]\nnodes = " + std::to_string(network->nodes()) + "\nswitches = [";
    for (int v = network->nodes(); v < network->vertices(); ++v)
      text += "\"s" + std::to_string(v) + "\",";
    text += "]\nlinks = [";
    const auto label = [&](int v) { return (v < network->nodes() ? "" : "s") + std::to_string(v); };
    for (int i = 0; i < network->links(); ++i) {
      const Link link = network->link_at(i);
      if (!network->has(link)) continue;
      const auto [from, to] = network->ends(link);
      text += "\"" + label(from) + " -> " + label(to) + "\",";
    }
    const auto graph = parse_graph(text + "]\n", "regular.toml", "graph:regular.toml");
    for (int from = 0; from < network->nodes(); ++from) {
      for (int to = 0; to < network->nodes(); ++to) {
        const Route path = graph->route(from, to);
        EXPECT_EQ(path.size(), network->route(from, to).size()) << name;
        int at = from;
        for (const Link link : path) {
          ASSERT_TRUE(graph->has(link));
          ASSERT_EQ(graph->ends(link).from, at);
          at = graph->ends(link).to;
        }
        EXPECT_EQ(at, to);
      }
    }
  }
}

// Files are looked for beside the machine file, in whatever folder the program runs.
TEST(Graphs, FilesAreFoundBesideTheMachine) {
  const std::filesystem::path folder = testing::TempDir() + "tutti_graph_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "office.net") << office;
  std::ofstream(folder / "mine.toml") << R"(name = "mine"
like = "sp2"
[network]
topology = {value = "graph:office.net", status = "measured", source = "looked under the table"}
)";
  EXPECT_EQ(load_machine((folder / "mine.toml").string()).network.topology->nodes(), 3);
  EXPECT_EQ(parse_topology("graph:" + (folder / "office.net").string())->nodes(), 3);
  std::filesystem::remove_all(folder);
}

TEST(Graphs, TheExampleIsAMachine) {
  const Machine example = load_machine(TUTTI_EXAMPLE_MACHINE);
  const Topology& graph = *example.network.topology;
  EXPECT_EQ(graph.nodes(), 7);
  EXPECT_EQ(route(graph, "bob", "dan"), "bob   ->left->right->dan   ");
  EXPECT_EQ(route(graph, "ada", "dan"), "ada   ->left->attic->right->dan   ");
}

}  // namespace
}  // namespace tutti::machine
