// SPDX-License-Identifier: BSD-3-Clause
// Tests GOAL. A graph is read as it was written, rounds are those of the schedule, and files that
// cannot be right are refused with their line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/error.hpp"
#include "formats/message_rounds.hpp"
#include "samples.hpp"

namespace tutti::formats {
namespace {

using schedule::Operation;

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(matched(read_goal(text, "a.goal"), "a.goal"));
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

TEST(Goal, IsReadAsItWasWritten) {
  for (const auto& [operation, name] :
       {std::pair(Operation::allreduce, "ring"), std::pair(Operation::alltoall, "bruck"),
        std::pair(Operation::allreduce, "direct"), std::pair(Operation::broadcast, "mst"),
        std::pair(Operation::barrier, "dissemination"), std::pair(Operation::gather, "mst")}) {
    for (int p = 2; p <= 9; ++p) {
      if (!algorithms::find(operation, name)->applies({.p = p})) continue;
      const MessageGraph graph = message_graph(schedule_of(operation, name, p), {2520, 0.5});
      const std::string text = goal_text(graph, {0, 1});
      const MessageGraph again = read_goal(text, "a.goal");
      EXPECT_EQ(goal_text(again, {0, 1}), text) << name;
      // The rounds are those of the schedule, of which some may have no messages.
      std::map<int, int> wanted, found;
      for (const auto& nodes : graph)
        for (const MessageNode& node : nodes)
          if (node.kind == MessageNode::Kind::send) ++wanted[node.round];
      for (const RoundMessage& message : rounds_of(matched(again, "a.goal")).messages)
        ++found[message.round];
      std::vector<int> a, b;
      for (const auto& entry : wanted) a.push_back(entry.second);
      for (const auto& entry : found) b.push_back(entry.second);
      EXPECT_EQ(a, b) << name << ", p = " << p;
    }
  }
}

TEST(Goal, ReadsCommentsLabelsAndProcessors) {
  const char* text =
      "/* two\nlines */ num_ranks 2\n// a ping and its answer\nrank 0 {\n"
      "ping: send 8b to 1 tag 3 cpu 0 nic 0\nsend 4 b to 1\nl2: recv 16b from 1 tag 7\n"
      "l2 requires ping\nw: calc 250 cpu 0\nw requires l2 }\n"
      "rank 1 {\na: recv 8b from 0 tag 3\nb: recv 4b from 0\nc: send 16b to 0 tag 7\n"
      "c requires a\nc requires b\n}\n";
  const MatchedGraph graph = matched(read_goal(text, "a.goal"), "a.goal");
  const MessageRounds rounds = rounds_of(graph);
  ASSERT_EQ(rounds.messages.size(), 3U);
  EXPECT_EQ(rounds.messages.back().bytes, 16);
  ASSERT_EQ(graph.nodes.size(), 7U);
  EXPECT_EQ(graph.nodes[3].size, 250);
  ASSERT_EQ(graph.nodes[2].followers.size(), 1U);
  EXPECT_EQ(graph.nodes[2].followers[0].node, 3);
}

// The streams of case 71 of the field: each line has a cpu, and messages have a nic.
constexpr const char* streams =
    "num_ranks 2\nrank 0 {\nl1: calc 0 cpu 0\nl2: calc 5000 cpu 1\n"
    "l3: send 4096b to 1 tag 101 cpu 1 nic 0\nl4: recv 8192b from 1 tag 202 cpu 2 nic 1\n"
    "l5: calc 0 cpu 0\nl2 requires l1\nl3 requires l2\nl4 irequires l1\nl5 requires l3\n"
    "l5 requires l4\n}\nrank 1 {\nl1: calc 0 cpu 0\nl2: recv 4096b from 0 tag 101 cpu 1 nic 0\n"
    "l3: send 8192b to 0 tag 202 cpu 2 nic 1\nl4: calc 0 cpu 0\nl2 requires l1\n"
    "l3 requires l1\nl4 requires l2\nl4 requires l3\n}\n";

TEST(Goal, ProcessorsAreStreams) {
  const MatchedGraph graph = matched(read_goal(streams, "a.goal"), "a.goal");
  EXPECT_EQ(graph.ranks, 2);
  EXPECT_EQ(graph.interfaces, 2);
  ASSERT_EQ(graph.streams.size(), 6U);
  EXPECT_EQ(graph.streams[5], (RankStream{1, 2}));
  int sends = 0;
  for (const MatchedNode& node : graph.nodes) {
    if (!node.sends()) continue;
    ++sends;
    const MatchedNode& receive = graph.nodes[static_cast<std::size_t>(node.other)];
    const bool long_one = node.size == 8192;
    EXPECT_EQ(node.stream, long_one ? 5 : 1);
    EXPECT_EQ(receive.stream, long_one ? 2 : 4);
    EXPECT_EQ(node.interface, long_one ? 1 : 0);
    EXPECT_EQ(receive.interface, node.interface);
  }
  EXPECT_EQ(sends, 2);
  EXPECT_EQ(goal_text(read_goal(streams, "a.goal"), {0, 1}),
            goal_text(read_goal(goal_text(read_goal(streams, "a.goal"), {0, 1}), "b"), {0, 1}));
}

TEST(Goal, PutsExchangesIntoOneRound) {
  const char* text =
      "num_ranks 2\nrank 0 {\na: send 1b to 1\nb: recv 1b from 1\nb requires a\n}\n"
      "rank 1 {\na: send 1b to 0\nb: recv 1b from 0\nb requires a\n}\n";
  EXPECT_EQ(rounds_of(matched(read_goal(text, "a.goal"), "a.goal")).rounds, 1);
}

// Both ranks send twice and receive twice. No message waits for another one of its receiver.
TEST(Goal, SendsDoNotWaitForTheirReceives) {
  const std::string rank =
      "{{\na: send 1b to {0}\nb: send 1b to {0}\nb requires a\nc: recv 1b from {0}\nc requires b\n"
      "d: calc 5\nd requires c\ne: recv 1b from {0}\ne requires d\n}}\n";
  const std::string text = fmt::format(fmt::runtime("num_ranks 2\nrank 0 " + rank), 1) +
                           fmt::format(fmt::runtime("rank 1 " + rank), 0);
  EXPECT_EQ(rounds_of(matched(read_goal(text, "a.goal"), "a.goal")).rounds, 2);
}

TEST(Goal, RefusesWhatCannotBe) {
  const std::string head = "num_ranks 2\nrank 0 {\n", tail = "}\nrank 1 {\n}\n";
  EXPECT_EQ(refusal(head + "send 8b to 1\n" + tail),
            "a.goal: rank 0 sends 1 messages with tag 0 to rank 1, which receives 0");
  EXPECT_EQ(refusal(head + "recv 8b from 1 tag 2\n" + tail),
            "a.goal: rank 1 sends 0 messages with tag 2 to rank 0, which receives 1");
  EXPECT_EQ(refusal(head + "send 8b to 1\n}\nrank 1 {\nrecv 9b from 0\n}\n"),
            "a.goal: rank 0 sends 8 bytes with tag 0 to rank 1, which receives 9");
  const std::string waits = "a: recv 1b from 1\nb: send 1b to 1\nb requires a\n";
  EXPECT_EQ(refusal(head + waits +
                    "}\nrank 1 {\na: recv 1b from 0\nb: send 1b to 0\n"
                    "b requires a\n}\n"),
            "a.goal: operations wait for each other in a circle; the message of rank 0 to rank 1 "
            "is one");
  for (const auto& [statement, part] :
       {std::pair("send 8b to 2\n", "line 3: there is no rank 2, only 0 to 1"),
        std::pair("send 8b to 0\n", "line 3: rank 0 has a message to itself"),
        std::pair("recv 8b from -1\n", "line 3: a recv from -1 takes whatever comes first, so "),
        std::pair("recv 8b from 1 tag -1\n", "line 3: a recv of tag -1 takes whatever comes first"),
        std::pair("calc 99999999999999999999\n", "line 3: '99999999999999999999' stands where a "),
        std::pair("a: calc 5\na: calc 6\n", "line 4: label a stands twice"),
        std::pair("a: calc 5\na requires b\n", "line 4: there is no label 'b' before here"),
        std::pair("a: calc 5 6\n", "line 3: '6' stands where the end of the line is expected"),
        std::pair("put 8b to 1\n", "line 3: '8b' stands where ':', requires or irequires is ")}) {
    EXPECT_NE(refusal(head + statement + tail).find(part), std::string::npos)
        << refusal(head + statement + tail);
  }
  EXPECT_EQ(refusal("num_ranks 2\nrank 0 {\n}\n"), "a.goal line 4: rank 1 is missing");
  EXPECT_EQ(refusal("num_ranks 5000\n"), "a.goal line 1: 5000 is above the limit, 4096");
  EXPECT_NE(refusal("num_ranks 1\nrank 0 {\n").find("stands where a statement is expected"),
            std::string::npos);
  EXPECT_EQ(refusal("/* \n\n"), "a.goal line 1: a comment does not end");
  // No byte of the file reaches a terminal as it is.
  EXPECT_EQ(refusal("\x1b[2J"), "a.goal line 1: '\\x1b' stands where 'num_ranks' is expected");
  EXPECT_EQ(refusal(std::string(1, '\0')),
            "a.goal line 1: '\\x00' stands where 'num_ranks' is expected");
}

}  // namespace
}  // namespace tutti::formats
