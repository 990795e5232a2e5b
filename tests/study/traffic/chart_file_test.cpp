// SPDX-License-Identifier: BSD-3-Clause
// Tests that charts written by people are read as they mean them, or that the line with the error
// is named.
#include "traffic/chart_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "traffic/constraints.hpp"
#include "traffic/load.hpp"

namespace tutti::traffic {
namespace {

using machine::parse_topology;

std::string chart(const std::string& name) {
  std::ifstream file(std::string(TUTTI_CHARTS_DIR) + "/" + name + ".txt");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> problems(const std::string& text) {
  const auto topology = topology_of_chart(text);
  Reading reading = read_messages(text, "chart", *topology);
  const Messages wanted = pairs_of(schedule::Operation::alltoall, {.p = topology->nodes()});
  for (auto& problem : violations(reading.messages, wanted, *topology, Receiving::any_number))
    reading.problems.push_back(std::move(problem));
  return reading.problems;
}

// Returns the error or the problems that `read_messages` reports for a text on a hypercube of four.
std::string complaint(const std::string& text, const char* topology = "hypercube:2") {
  try {
    const Reading reading = read_messages(text, "file", *parse_topology(topology));
    return reading.problems.empty() ? "" : reading.problems.front();
  } catch (const base::Error& error) {
    return error.what();
  }
}

TEST(Charts, ThoseOfPaper004) {
  for (const char* name : {"fig6", "fig7", "fig8_pairwise", "fig9"})
    EXPECT_EQ(problems(chart(name)), std::vector<std::string>()) << name;
  EXPECT_EQ(problems(chart("fig8_as_printed")),
            std::vector<std::string>{"step 3, link 010->000: messages 011->000 and 010->100"});
  const Reading usage = read_messages(chart("fig5"), "fig5", *parse_topology("hypercube:3"));
  EXPECT_FALSE(usage.numbered);
  EXPECT_EQ(usage.messages.size(), 56u);
}

TEST(Charts, RoutesAreThoseOfTheRows) {
  const auto cube = parse_topology("hypercube:3");
  for (const char* name : {"fig7", "fig8_pairwise"}) {
    const Reading reading = read_messages(chart(name), name, *cube);
    for (const Message& message : reading.messages)
      EXPECT_EQ(message.route, cube->route(message.from, message.to));
  }
}

// Any change of one mark is found, whichever constraint it breaks.
TEST(Charts, ABrokenMarkIsNamed) {
  std::string text = chart("fig7");
  const auto with = [&](const char* from, const char* to) {
    std::string changed = text;
    changed.replace(changed.find(from), std::string(from).size(), to);
    return problems(changed);
  };
  EXPECT_EQ(with("000->011  ..3 .3.", "000->011  ..3 .4."),
            (std::vector<std::string>{
                "line 8, row 000->011: numbers 3 and 4; all links of a path are in use in one step",
                "000->011: no message in any step"}));
  EXPECT_EQ(with("000->011  ..3 .3.", "000->011  ..3 3.."),
            (std::vector<std::string>{"line 8, row 000->011: its marks are no path",
                                      "000->011: no message in any step"}));
  EXPECT_EQ(with("000->001  ..1", "000->001  ..2"),
            std::vector<std::string>{"step 2, rank 000 sends 2 messages: 000->001, 000->010"});
  EXPECT_EQ(with("000->001  ..1", "000->001  ..3"),
            (std::vector<std::string>{"step 3, link 000->001: messages 000->001 and 000->011",
                                      "step 3, rank 000 sends 2 messages: 000->001, 000->011"}));
  EXPECT_EQ(with("000->001  ..1", "000->001  ..."),
            std::vector<std::string>{"000->001: no message in any step"});
}

// Routes that are not those of e-cube are also allowed.
TEST(Charts, AnyRouting) {
  std::string text = chart("fig7");
  const std::string row = "000->011  ..3 .3. ... ...";
  text.replace(text.find(row), row.size(), "000->011  .3. ... ..3 ...");
  EXPECT_EQ(problems(text),
            (std::vector<std::string>{"step 3, link 010->011: messages 000->011 and 010->101"}));
}

TEST(Charts, WhatIsNotUnderstood) {
  const std::string labels = "  00 01 10 11\n";
  EXPECT_EQ(complaint(labels + "00->01 .1 .. .. ..\n"), "");
  EXPECT_EQ(complaint(labels + "00->01 .1 .. .. .. ..\n"),
            "file:2: more groups of marks than labels above");
  EXPECT_EQ(complaint(labels + "00->01 .1. .. .. ..\n"),
            "file:2: '.1.' has 3 marks, hypercube:2 has 2 links at a node");
  EXPECT_EQ(complaint(labels + "# a comment\n00->01 .? ..\n"), "file:3: '?' is no step");
  EXPECT_EQ(complaint(labels + ".1 00->01\n"),
            "file:2: expected a row such as '00->00' before '.1'");
  EXPECT_EQ(complaint(labels + "00->07 .1 ..\n"), "file:2: '07' is no node of hypercube:2");
  EXPECT_EQ(complaint("00 01 7\n00->01 .1 ..\n"), "file:1: '7' is no node of hypercube:2");
  EXPECT_EQ(complaint(labels + "00->01 .1\n00->10 x.\n"),
            "file:1: some marks are numbers, some are x");
  EXPECT_EQ(complaint("0 1 2\n0->1 1. .. ..\n", "line:3"),
            "file:2: a mark at node 0 where it has no link");
  EXPECT_EQ(topology_of_chart("0 1 2\n"), nullptr);
  EXPECT_EQ(topology_of_chart("1: 0->1\n"), nullptr);
  EXPECT_EQ(topology_of_chart(labels)->name(), "hypercube:2");
}

TEST(Charts, LettersAndSeveralDigits) {
  const auto line = parse_topology("line:3");
  const Reading letters = read_messages("0 1 2\n0->1 .a .. ..\n2->0 .. w. w.\n", "file", *line);
  ASSERT_EQ(letters.messages.size(), 2u);
  EXPECT_EQ(letters.messages[0].step, 10);
  EXPECT_EQ(letters.messages[1].step, 32);
  const Reading wide = read_messages(
      "0 1 2\n0->1 ...|.12 ...|... ...|...\n2->0 ...|... 133|... 133|...\n", "file", *line);
  ASSERT_EQ(wide.messages.size(), 2u);
  EXPECT_EQ(wide.messages[0].step, 12);
  EXPECT_EQ(wide.messages[1].step, 133);
}

TEST(Pairs, StepsRoutesAndBothDirections) {
  const auto mesh = parse_topology("mesh:2x3");
  const Reading reading =
      read_messages("# swap\n1: 0 -- 4\n2:0->3->4\n 2 : 5->4 # late\n", "file", *mesh);
  EXPECT_TRUE(reading.numbered);
  ASSERT_EQ(reading.messages.size(), 4u);
  EXPECT_EQ(to_text(*mesh, reading.messages[0].route), "0->1->4");
  EXPECT_EQ(to_text(*mesh, reading.messages[1].route), "4->3->0");
  EXPECT_EQ(to_text(*mesh, reading.messages[2].route), "0->3->4");
  EXPECT_EQ(reading.messages[3].step, 2);
  EXPECT_FALSE(read_messages("0->1\n", "file", *mesh).numbered);
  EXPECT_TRUE(read_messages("", "file", *mesh).messages.empty());
}

TEST(Pairs, WhatIsNotUnderstood) {
  EXPECT_EQ(complaint("1: 0->1\n0->2\n"), "file:2: no step, which lines before have");
  EXPECT_EQ(complaint("0->1\n1: 0->2\n"), "file:2: a step, which lines before do not have");
  EXPECT_EQ(complaint("0: 0->2\n"), "file:1: '0' is no step");
  EXPECT_EQ(complaint("1x: 0->2\n"), "file:1: '1x' is no step");
  EXPECT_EQ(complaint("0->9\n"), "file:1: '9' is no node of hypercube:2");
  EXPECT_EQ(complaint("0->0\n"), "file:1: a message from 00 to 00");
  EXPECT_EQ(complaint("0->3->1\n"), "file:1: hypercube:2 has no link 00->11");
  EXPECT_EQ(complaint("0--1--2\n"),
            "file:1: expected [step:] source -> destination, found '0--1--2'");
  EXPECT_EQ(complaint("0->\n"), "file:1: '' is no node of hypercube:2");
}

// In figure 3 of paper 004, eight messages share the link 7 -> 15.
TEST(Pairs, ContentionExperiment) {
  const auto cube = parse_topology("hypercube:7");
  const Reading reading = read_messages(
      "0->127\n1->63\n3->31\n7->15\n5->79\n6->47\n2->95\n4->111\n", "figure 3", *cube);
  int most = 0;
  for (const Conflict& conflict : conflicts(reading.messages))
    if (conflict.link == cube->link_between(7, 15))
      most = static_cast<int>(conflict.messages.size());
  EXPECT_EQ(most, 8);
  EXPECT_EQ(most_load(reading.messages, *cube), 8);
}

}  // namespace
}  // namespace tutti::traffic
