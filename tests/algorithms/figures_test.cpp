// SPDX-License-Identifier: BSD-3-Clause
// Compares senders and receivers with the figures of paper 000, for eight ranks and root 0. It also
// checks those formulas of the paper that have another form in our headers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"

namespace tutti {
namespace {

using schedule::Operation;
using schedule::Shape;

// Returns a line for each round with communication, such as "0>1 0>4".
std::string messages(Operation operation, const char* name, const Shape& shape) {
  const schedule::Generator& g = *algorithms::find(operation, name);
  std::string text;
  for (int t = 0; t < g.rounds(shape); ++t) {
    std::string line;
    for (int rank = 0; rank < shape.p; ++rank) {
      schedule::Round round;
      g.emit(round, shape, schedule::Rank{rank}, t);
      for (const schedule::Op& op : round.ops)
        if (op.what == schedule::Do::send)
          line += fmt::format("{}{}>{}", line.empty() ? "" : " ", rank, op.to.first);
    }
    if (!line.empty()) text += line + "\n";
  }
  return text;
}

constexpr Shape eight{.p = 8};
constexpr Shape branches(int n) {
  return {.p = 8, .branches = n};
}
constexpr Shape rings(int n) {
  return {.p = 8, .rings = n};
}

TEST(Figures, BroadcastRings) {
  EXPECT_EQ(messages(Operation::broadcast, "increasing_ring", eight),
            "0>1\n1>2\n2>3\n3>4\n4>5\n5>6\n6>7\n");  // 12
  EXPECT_EQ(messages(Operation::broadcast, "decreasing_ring", eight),
            "0>7\n7>6\n6>5\n5>4\n4>3\n3>2\n2>1\n");  // 13
  EXPECT_EQ(messages(Operation::broadcast, "split_ring", eight),
            "0>1 0>7\n1>2 7>6\n2>3 6>5\n3>4\n");  // 14
  EXPECT_EQ(messages(Operation::broadcast, "multiring", rings(3)),
            "0>1 0>4 0>6\n1>2 4>5 6>7\n2>3\n");  // 15
}

TEST(Figures, BroadcastTrees) {
  EXPECT_EQ(messages(Operation::broadcast, "hypercube", eight),
            "0>1\n0>2 1>3\n0>4 1>5 2>6 3>7\n");  // 16
  EXPECT_EQ(messages(Operation::broadcast, "tree", branches(1)),
            "0>4\n0>2 4>6\n0>1 2>3 4>5 6>7\n");  // 17
  EXPECT_EQ(messages(Operation::broadcast, "tree", branches(2)),
            "0>3 0>6\n0>1 0>2 3>4 3>5 6>7\n");  // 18
  EXPECT_EQ(messages(Operation::broadcast, "tree", branches(3)),
            "0>4\n0>1 0>2 0>3 4>5 4>6 4>7\n");  // 19
}

TEST(Figures, Combines) {
  EXPECT_EQ(messages(Operation::reduce, "tree", branches(1)),
            "1>0 3>2 5>4 7>6\n2>0 6>4\n4>0\n");  // 37
  EXPECT_EQ(messages(Operation::reduce, "tree", branches(4)),
            "1>0 2>0 3>0 4>0 6>5 7>5\n5>0\n");                                // 38
  EXPECT_EQ(messages(Operation::allreduce, "bidirectional_exchange", eight),  // 39
            "0>1 1>0 2>3 3>2 4>5 5>4 6>7 7>6\n0>2 1>3 2>0 3>1 4>6 5>7 6>4 7>5\n0>4 1>5 2>6 3>7 4>0 "
            "5>1 6>2 7>3\n");
}

TEST(Figures, OtherRoots) {
  EXPECT_EQ(messages(Operation::broadcast, "split_ring", {.p = 5, .root = 3}),
            "3>4 3>2\n2>1 4>0\n");
  EXPECT_EQ(messages(Operation::broadcast, "hypercube", {.p = 4, .root = 3}), "3>2\n2>0 3>1\n");
  EXPECT_EQ(messages(Operation::broadcast, "mst", {.p = 8, .root = 5}),
            "5>0\n0>2 5>6\n0>1 2>3 5>4 6>7\n");
  EXPECT_EQ(messages(Operation::reduce, "increasing_ring", {.p = 4, .root = 1}), "2>3\n3>0\n0>1\n");
  EXPECT_EQ(messages(Operation::reduce, "decreasing_ring", {.p = 4, .root = 1}), "0>3\n3>2\n2>1\n");
}

schedule::Counts counts(Operation operation, const char* name, const Shape& shape) {
  return schedule::verify(*algorithms::find(operation, name), shape).counts;
}

// Table 9 as printed holds for p - 1 a multiple of N_r.
TEST(Tables, Table9) {
  for (const int p : {7, 13, 31}) {
    const schedule::Counts c = counts(Operation::broadcast, "multiring", {.p = p, .rings = 3});
    EXPECT_EQ(c.rounds, (p - 1) / 3);  // the paper's N_p/N_r counts the root into a ring
    EXPECT_EQ(c.sends, std::vector<int>(static_cast<std::size_t>(c.rounds), 3));
    EXPECT_EQ(c.root, (schedule::Time{0, 0, 3}));
    EXPECT_EQ(c.longest, (schedule::Time{(p - 1) / 3, 0, 2}));
    for (int i = 0; i + 1 < c.rounds; ++i)
      EXPECT_EQ(c.done[static_cast<std::size_t>(i)], 1 + 3 * i);
  }
  const schedule::Counts c = counts(Operation::broadcast, "tree", {.p = 32});
  EXPECT_EQ(c.sends, (std::vector<int>{1, 2, 4, 8, 16}));
  EXPECT_EQ(c.done, (std::vector<int>{0, 0, 0, 0, 32}));
  EXPECT_EQ(c.root, (schedule::Time{0, 0, 5}));
  EXPECT_EQ(c.longest, (schedule::Time{5, 0, 0}));
}

// Section 5.4.2 distinguishes ranks inside and outside of the power of two.
TEST(Tables, BidirectionalExchange) {
  const schedule::Counts c = counts(Operation::allreduce, "bidirectional_exchange", {.p = 11});
  EXPECT_EQ(c.root, (schedule::Time{1 + 3, 1 + 3, 1}));
  EXPECT_EQ(c.longest, (schedule::Time{2 + 3, 1 + 3, 0}));
}

// By section 5.4.1 the fan-in of a complete tree takes H (N_b T_c + T_o).
TEST(Tables, FanIn) {
  for (const int n : {1, 2, 3}) {
    const schedule::Counts c =
        counts(Operation::reduce, "tree", {.p = (n + 1) * (n + 1), .branches = n});
    EXPECT_EQ(c.root, (schedule::Time{2 * n, 2, 0}));
  }
  EXPECT_EQ(counts(Operation::allreduce, "tree", {.p = 16}).longest, (schedule::Time{8, 4, 0}));
}

}  // namespace
}  // namespace tutti
