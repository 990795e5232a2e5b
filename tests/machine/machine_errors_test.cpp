// SPDX-License-Identifier: BSD-3-Clause
// Tests that wrong machine files are refused with a message that has file, line, key and advice.
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "machine/machine.hpp"

namespace tutti::machine {
namespace {

// These are lines 1 to 5. The text of a test begins in line 6.
const std::string head = R"(name = "mine"
alpha = {value = 10, status = "measured", source = "here"}
beta = {value = 0.5, status = "measured", source = "here"}
gamma = {value = 0.25, status = "measured", source = "here"}
kappa = {value = inf, status = "measured", source = "here"}
)";

std::string entry(const std::string& key, const std::string& value) {
  return key + " = {value = " + value + ", status = \"assumed\", source = \"a guess\"}\n";
}

bool begins_with(const std::string& text, const std::string& start) {
  return text.starts_with(start);
}

// Returns the message about a machine file with these lines.
std::string said(const std::string& lines, const Size& size = {}) {
  try {
    (void)parse_machine(head + lines, "mine.toml", size);
  } catch (const base::Error& error) {
    std::string text = error.what();
    const std::string start = "machine profile mine.toml";
    return text.starts_with(start) ? text.substr(start.size()) : text;
  }
  return "accepted";
}

std::string network(const std::string& topology, const std::string& switching = "circuit") {
  return "[network]\n" + entry("topology", '"' + topology + '"') +
         entry("switching", '"' + switching + '"');
}

TEST(MachineErrors, KeysAndValues) {
  EXPECT_EQ(said(network("ring:4")), "accepted");
  EXPECT_EQ(said(network("ring:4") + entry("hopp", "1")),
            ":9: unknown key network.hopp; did you mean 'network.hop'?");
  EXPECT_EQ(said("[netwrok]\n" + entry("hop", "1")),
            ":6: unknown key netwrok; did you mean 'network'?");
  EXPECT_EQ(said(entry("hop", "1")), ":6: unknown key hop; it belongs into the table [network]");
  EXPECT_EQ(said(network("ring:4") + entry("hop", "-1")),
            ":9: network.hop is -1; a cost in microseconds is from 0 to 1e9");
  for (const char* value : {"inf", "nan", "-inf", "1e300"})
    EXPECT_NE(said(network("ring:4") + entry("hop", value)).find("a cost in microseconds"),
              std::string::npos)
        << value;
  EXPECT_EQ(said(network("ring:4") + entry("hop", "\"1\"")),
            ":9: network.hop needs a numeric value, not a text");
  EXPECT_EQ(said(network("ring:4") + entry("hop", "true")),
            ":9: network.hop needs a numeric value, not true or false");
  EXPECT_EQ(said(network("ring:4") + "hop = 1\n"), "accepted");
  EXPECT_EQ(said(network("ring:4") + "hop = [1]\n"),
            ":9: network.hop needs a numeric value, not a list");
  EXPECT_EQ(said(network("ring:4") + "hop = {value = 1, status = \"sure\", source = \"x\"}\n"),
            ":9: status of network.hop is 'sure' but must be published, derived, fitted, measured "
            "or assumed");
  EXPECT_EQ(said(network("ring:4") + "hop = {value = 1, status = \"assumed\", sorce = \"x\"}\n"),
            ":9: unknown key network.hop.sorce; did you mean 'source'?");
  EXPECT_EQ(said(entry("topology", "3")),
            ":6: unknown key topology; it belongs into the table [network]");
  EXPECT_EQ(said("[network]\n" + entry("topology", "3")),
            ":7: network.topology must be a text, not a number");
  EXPECT_EQ(said("network = 3\n"),
            ":6: network must be a table: write [network] on a line of its own");
  EXPECT_EQ(said("[group_server]\n" + entry("queries", "2.5")),
            ":7: group_server.queries is 2.5; a number of questions is whole and not negative");
  EXPECT_PRED2(begins_with, said("mesh = [4, \"x\"]\n"),
               ":6: mesh must list whole numbers from 1 to 104");
}

// toml++ would crash on some of these (toml_characters.hpp).
TEST(MachineErrors, HeadersOfTables) {
  const std::string message =
      "the name of a table begins with a letter, a digit, '_', '-' or a quote";
  for (const char* header : {"[=]\n", "[\n", " [ .a]\n", "[[#\n", "\t[[ =x]]\n", "[\\]\n"})
    EXPECT_EQ(said(std::string("about = \"a\"\n") + header), ":7: " + message) << header;
  EXPECT_EQ(said("aliases = [\n[=\n").find(message), std::string::npos);  // a list, not a header
  EXPECT_EQ(said("[]\n").find(message), std::string::npos);
  EXPECT_EQ(said(network("ring:4")), "accepted");
}

TEST(MachineErrors, BracesInLists) {
  const std::string message = "a '}' stands in a list that '[' has opened";
  for (const char* list : {"aliases = [}\n", "aliases = [\"a\", }\n", "aliases = [{a = 1}, [}]\n"})
    EXPECT_EQ(said(list), ":6: " + message) << list;
  EXPECT_EQ(said("aliases = [\"}\"] # }\n" + network("ring:4")), "accepted");
}

TEST(MachineErrors, DatesWithTimes) {
  const std::string message = "a date with a time stands where no date is needed";
  for (const char* date :
       {"1979-05-27T:", "1979-05-27 x", "1979-05-27t07:32:00", "1979-05-27 07:32:00",
        "1_979-05-27 5 ", "1--3-05-27_ 5 ", "1979-05-2= 0, "})
    EXPECT_EQ(said(std::string("about = ") + date + "\n"), ":6: " + message) << date;
  EXPECT_EQ(said("about = 1979-05-27 # a day\n").find(message), std::string::npos);
  EXPECT_EQ(said("about = \"1979-05-27T07\" # 1979-05-27T07\n" + network("ring:4")), "accepted");
}

TEST(MachineErrors, CharactersBeyondAscii) {
  const std::string message =
      "a character beyond ASCII stands outside of texts and comments, or after a backslash";
  EXPECT_EQ(said("# caf\xC3\xA9\nabout = \"caf\xC3\xA9\"\naliases = ['caf\xC3\xA9']\n" +
                 network("ring:4")),
            "accepted");
  EXPECT_EQ(said("about = \"\"\"a \"caf\xC3\xA9\"\ncaf\xC3\xA9\"\"\"\"\n" + network("ring:4")),
            "accepted");
  EXPECT_EQ(said("about = '''it's a caf\xC3\xA9'''\n" + network("ring:4")), "accepted");
  EXPECT_EQ(said("about = \"a\"\ncaf\xC3\xA9 = 1\n"), ":7: " + message);
  EXPECT_EQ(said("about = \xC3\xA9\n"), ":6: " + message);
  EXPECT_EQ(said("about = \"\\\xC3\xA9\"\n"), ":6: " + message);
  EXPECT_EQ(said("about = \"\"\"a\\\n \xC3\xA9\"\"\"\n"), ":7: " + message);
  EXPECT_EQ(said("about = \"\"\"a\"\"\"\"\" \xC3\xA9\n"), ":6: " + message);
}

TEST(MachineErrors, WhatDoesNotFitTogether) {
  EXPECT_PRED2(begins_with, said(""), ": network.topology is missin");
  EXPECT_PRED2(begins_with, said("", {"ring:4"}), ": network.switching is missing");
  EXPECT_EQ(said(network("ring:4", "circut")),
            ":8: network.switching is 'circut'; did you mean 'circuit'?");
  EXPECT_EQ(said(network("ring:4", "share_equal")),
            ": network.link_beta is missing, but messages share links and kappa is inf; write "
            "link_beta = 1.0 with the right number");
  EXPECT_EQ(said(network("ring:4", "share_max_min") + entry("link_beta", "0")),
            ":9: network.link_beta is 0, but messages share links; give the reciprocal of a link's "
            "bandwidth");
  EXPECT_EQ(said(network("ring:4") + entry("link_beta", "0.6")),
            ":9: network.link_beta is more than beta, but a message is not faster than its links");
  EXPECT_EQ(said(network("ring:4") + entry("held", "11")),
            ":9: network.held is more than alpha, of which it is a part");
  EXPECT_EQ(said(network("ring:4") + entry("packet", "0")),
            ":9: network.packet is less than one byte");
  EXPECT_PRED2(begins_with, said(network("ring:4") + "[node]\n" + entry("ports", "\"windowed\"")),
               ": node.window is missing, but node.ports is windowed; write ");
  EXPECT_PRED2(begins_with, said(network("mesh:4x4") + "[node]\n"), "accepted");
}

TEST(MachineErrors, KappaAndLinkBetaAgree) {
  std::string text = head + network("ring:4") + entry("link_beta", "0.5");
  text.replace(text.find("value = inf"), 11, "value = 2.0");
  try {
    (void)parse_machine(text, "mine.toml");
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("mine.toml:9: network.link_beta contradicts kappa"),
              std::string::npos);
  }
}

TEST(MachineErrors, Topologies) {
  EXPECT_PRED2(begins_with, said(network("rong:4")),
               ":7: network.topology: topology 'rong:4': expect");
  EXPECT_PRED2(begins_with, said(network("mesh:4x0")), ":7: network.topology: topology '");
  EXPECT_NE(said(network("crossbar:99999999")).find("is too large"), std::string::npos);
  EXPECT_NE(said(network("hypercube:21")).find("is too large"), std::string::npos);
  EXPECT_PRED2(begins_with, said(network("ring:4"), {"ring:0"}), "topology 'ring:0':");
  EXPECT_EQ(said("mesh = [2, 8]\n" + network("mesh:4x4")),
            ":8: network.topology is mesh:4x4, but mesh says otherwise; remove mesh");
}

// Returns a machine file whose line 9 is [graph].
std::string graph(const std::string& lines) {
  return said(network("graph:") + "[graph]\n" + lines);
}

TEST(MachineErrors, Graphs) {
  EXPECT_EQ(graph("nodes = [\"a\", \"b\"]\nlinks = [\"a <-> b\"]\n"), "accepted");
  EXPECT_EQ(said(network("graph:")), ": no table [graph] with nodes and links");
  EXPECT_EQ(graph("nodes = [\"a\", \"b\"]\nlinks = [\"a -> b\"]\n"),
            ":9: graph: there is no way from b to a; add links, or -> may have to be <->");
  EXPECT_EQ(graph("nodes = 3\nlinks = [\"0 <-> 1\"]\n"),
            ":9: graph: there is no way from 0 to 2; add links, or -> may have to be <->");
  EXPECT_EQ(
      graph("nodes = [\"a\", \"b\"]\nlinks = [\n\"a <-> b\",\n\"a <-> c\"]\n"),
      ":13: graph.links: there is no node or switch 'c'; list it in graph.nodes or graph.switches");
  EXPECT_EQ(graph("nodes = 2\nlinks = [\"0 <-> 1\", \"1 -> 0\"]\n"),
            ":11: graph.links: a link from 1 to 0 is there already; remove one");
  EXPECT_EQ(graph("nodes = 2\nlinks = [\"0 <-> 0\"]\n"),
            ":11: graph.links: '0 <-> 0' leads from a vertex to itself; remove it");
  EXPECT_EQ(graph("nodes = 2\nlinks = [\"0 1\"]\n"),
            ":11: graph.links: '0 1' is neither 'a <-> b' nor 'a -> b'");
  EXPECT_EQ(graph("nodes = 2\nlinks = [3]\n"), ":11: graph.links must be a text, not a number");
  EXPECT_EQ(graph("nodes = 5000\n"),
            ":10: graph: topology too large; at most 4096 nodes and switches can be listed");
  EXPECT_EQ(graph("nodes = 0\n"), ":10: graph.nodes names no node; a network has one or more");
  EXPECT_EQ(graph("nodes = [\"a\", \"a\"]\n"),
            ":10: graph: 'a' is named twice; give every node and switch a name of its own");
  EXPECT_PRED2(begins_with, graph("nodes = [\"a b\"]\n"), ":10: graph.nodes has the name 'a b';");
  EXPECT_EQ(graph("nodes = 2\nlinsk = []\n"),
            ":11: unknown key graph.linsk; did you mean 'links'?");
}

TEST(MachineErrors, RoutesOfGraphs) {
  const std::string square =
      "nodes = [\"a\", \"b\", \"c\"]\nswitches = [\"s\"]\nlinks = [\"a <-> b\", \"b <-> c\", \"a "
      "<-> s\", \"s <-> c\"]\n";
  EXPECT_EQ(graph(square + "routes = [\"a -> s -> c\", \"c -> b -> a\"]\n"), "accepted");
  EXPECT_EQ(graph(square + "routes = [\"a -> b -> a -> s -> c\"]\n"),
            ":13: graph.routes: 'a -> b -> a -> s -> c' loops, it is at a twice");
  EXPECT_EQ(graph(square + "routes = [\"a -> c\"]\n"),
            ":13: graph.routes: 'a -> c' needs a link 'a -> c', which graph.links does not have");
  EXPECT_EQ(graph(square + "routes = [\"a -> s\"]\n"),
            ":13: graph.routes: s is a switch, but a route begins and ends at a node");
  EXPECT_EQ(graph(square + "routes = [\"a\"]\n"),
            ":13: graph.routes: 'a' needs a source and a destination: 'a -> s -> b'");
  EXPECT_EQ(graph(square + "routes = [\"a -> b\", \"a -> b\"]\n"),
            ":13: graph.routes: a second route from a to b; remove one");
}

TEST(MachineErrors, LikeNothing) {
  EXPECT_PRED2(begins_with, said("like = \"vax\"\n"),
               ":6: like: there is no machine profile 'vax'; ");
  const std::string path = testing::TempDir() + "circle.toml";
  std::ofstream(path) << "name = \"mine\"\nlike = \"./circle.toml\"\n";
  try {
    (void)load_machine(path);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("is it a circle?"), std::string::npos) << error.what();
  }
}

TEST(MachineErrors, NamesOfManyParts) {
  std::string name = "a";
  for (int i = 0; i < 300'000; ++i) name += ".a";
  const std::string why = ":6: a name has too many parts with dots between";
  EXPECT_EQ(said("[" + name + "]\n"), why);
  EXPECT_EQ(said(name + " = 1\n"), why);
  EXPECT_EQ(said("x = {" + name + " = 1}\n"), why);
  EXPECT_EQ(said("# " + std::string(1000, '.') + "\nx = \"" + std::string(1000, '.') + "\"\n"),
            said("x = \"\"\n").replace(1, 1, "7"));
}

TEST(MachineErrors, Files) {
  for (const char* path : {"/nowhere/mine.toml", "/", "./"})
    EXPECT_THROW((void)load_machine(path), base::Error) << path;
}

}  // namespace
}  // namespace tutti::machine
