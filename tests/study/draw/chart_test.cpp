// SPDX-License-Identifier: BSD-3-Clause
// Compares charts with those of paper 004, byte for byte. They are drawn from the registered
// algorithms and from the paper's procedures.
#include "draw/chart.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "golden.hpp"
#include "traffic/chart_file.hpp"

namespace tutti::draw {
namespace {

using schedule::Operation;
using traffic::Messages;

std::string chart(const Messages& messages, const machine::Topology& topology,
                  Marks marks = Marks::schedule) {
  return to_text(chart_of(messages, topology, marks), topology);
}

class Cube : public testing::Test {
 protected:
  Messages exchange(const char* name) const {
    return messages_on(*cube, Operation::alltoall, name);
  }
  std::unique_ptr<machine::Topology> cube = machine::parse_topology("hypercube:3");
};

TEST_F(Cube, FiguresOfPaper004) {
  const Messages pattern = traffic::routed(traffic::pairs_of(Operation::alltoall, {.p = 8}), *cube);
  EXPECT_EQ(chart(pattern, *cube, Marks::usage), golden("fig5"));
  EXPECT_EQ(chart(traffic::granted(exchange("naive"), *cube), *cube), golden("fig6"));
  EXPECT_EQ(chart(exchange("linear"), *cube), golden("fig7"));
  EXPECT_EQ(chart(exchange("pairwise"), *cube), golden("fig8_pairwise"));
  EXPECT_EQ(chart(exchange("circle"), *cube), golden("fig8_as_printed"));
  EXPECT_EQ(chart(exchange("stable"), *cube), golden("fig9"));
}

// The procedures as the paper has them, without any generator. They return the destination of `me`
// in step i, or `me` if it sends nothing.
using Procedure = int (*)(int me, int i);

Messages messages_of_procedure(const machine::Topology& topology, int first, int last,
                               Procedure destination) {
  Messages messages;
  for (int i = first; i <= last; ++i)
    for (int me = 0; me < 8; ++me)
      if (const int to = destination(me, i); to != me)
        messages.push_back({i - first + 1, me, to, 1, false, {}});
  return traffic::routed(std::move(messages), topology);
}

TEST_F(Cube, ProceduresOfPaper004) {
  const Messages naive = messages_of_procedure(*cube, 0, 7, [](int, int i) { return i; });
  const Messages linear =
      messages_of_procedure(*cube, 1, 7, [](int me, int i) { return (me + i) % 8; });
  const Messages pairwise =
      messages_of_procedure(*cube, 1, 7, [](int me, int i) { return me ^ i; });
  const Messages stable = messages_of_procedure(*cube, 0, 7, [](int me, int i) {
    return me < 4 ? (me * 2 + 1 + i) % 8 : (me * 2 - 8 + i) % 8;
  });
  EXPECT_EQ(chart(traffic::granted(naive, *cube), *cube), golden("fig6"));
  EXPECT_EQ(chart(linear, *cube), golden("fig7"));
  EXPECT_EQ(chart(pairwise, *cube), golden("fig8_pairwise"));
  EXPECT_EQ(chart(stable, *cube), golden("fig9"));
}

// A drawn chart is read back as the same messages, on every kind of topology and with many steps.
TEST(Charts, AreReadBack) {
  for (const char* name :
       {"hypercube:0", "hypercube:1", "hypercube:4", "line:2", "line:7", "ring:9", "mesh:3x4",
        "mesh:2x4", "torus:3x3", "torus:2x2x3", "crossbar:5", "line:40", "hypercube:6"}) {
    const auto topology = machine::parse_topology(name);
    for (const char* algorithm : {"linear", "direct", "circle"}) {
      const Messages drawn = messages_on(*topology, Operation::alltoall, algorithm);
      const Messages read =
          traffic::read_messages(chart(drawn, *topology), name, *topology).messages;
      const auto sorted = [&](const Messages& messages) {
        std::vector<std::tuple<int, int, int, machine::Route>> list;
        for (const auto& m : messages) list.emplace_back(m.step, m.from, m.to, m.route);
        std::sort(list.begin(), list.end());
        return list;
      };
      // On an exchange, a link that is used there and back can be traced in another order. The
      // links are the same.
      EXPECT_TRUE(sorted(read) == sorted(drawn)) << name << " " << algorithm;
    }
  }
}

TEST(Charts, PairsWithSeveralMessagesHaveSeveralRows) {
  const auto line = machine::parse_topology("line:3");
  const Messages messages = traffic::routed({{1, 0, 1}, {3, 0, 1}, {2, 1, 2}}, *line);
  EXPECT_EQ(chart(messages, *line),
            "      0  1  2\n"
            "      -- -- --\n"
            "0->0  .. .. ..\n"
            "0->1  .1 .. ..\n"
            "0->1  .3 .. ..\n"
            "0->2  .. .. ..\n"
            "      -- -- --\n"
            "1->0  .. .. ..\n"
            "1->1  .. .. ..\n"
            "1->2  .. .2 ..\n"
            "      -- -- --\n"
            "2->0  .. .. ..\n"
            "2->1  .. .. ..\n"
            "2->2  .. .. ..\n");
}

TEST(Charts, Cells) {
  Chart chart;
  chart.steps = 32;
  EXPECT_EQ(cell_text(chart, 0) + cell_text(chart, 9) + cell_text(chart, 10) + cell_text(chart, 32),
            ".9aw");
  chart.steps = 100;
  EXPECT_EQ(cell_text(chart, 0) + cell_text(chart, 9) + cell_text(chart, 100), ".....9100");
}

}  // namespace
}  // namespace tutti::draw
