// SPDX-License-Identifier: BSD-3-Clause
// Tests the reports of `tutti verify` on algorithms that are wrong, and the shapes that it tries.
#include "verify/sweep.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "algorithms/registry.hpp"

namespace tutti::tools {
namespace {

using schedule::Block;
using schedule::Buffer;
using schedule::Generator;
using schedule::Operation;
using schedule::Rank;
using schedule::Round;
using schedule::Shape;

// Broadcasts along a chain, but forgets the last rank if there are more than four.
int rounds(const Shape& s) {
  return s.p > 4 ? s.p - 2 : s.p - 1;
}
void emit(Round& out, const Shape& s, Rank me, int t) {
  const int number = schedule::mod(num(me) - s.root, s.p);
  if (number == t) out.send({Block{Buffer::output, 0}}, Rank{schedule::mod(num(me) + 1, s.p)});
  if (number == t + 1)
    out.receive({Block{Buffer::output, 0}}, Rank{schedule::mod(num(me) - 1, s.p)});
}
constexpr Generator forgetful{"forgetful",
                              Operation::broadcast,
                              rounds,
                              [](const Shape&) {
                                return schedule::Buffers{0, 1, 0};
                              },
                              emit,
                              [](const Shape&) { return true; },
                              schedule::Operators::any};

TEST(Sweep, StopsAtTheCounterExample) {
  std::vector<int> seen;
  const SweepResult result = sweep(forgetful, {.ranks = {2, 3, 4, 5, 6, 7, 8, 9}},
                                   {[&](int p) { seen.push_back(p); }, {}});
  EXPECT_FALSE(result.correct());
  EXPECT_EQ(result.problem.substr(0, result.problem.find(": ")),
            "broadcast forgetful, p = 5, root 0");
  EXPECT_NE(result.problem.find("rank 4"), std::string::npos) << result.problem;
  EXPECT_EQ(seen, (std::vector<int>{2, 3, 4, 5}));
}

TEST(Sweep, RootsAndSettings) {
  const Generator& tree = *algorithms::find(Operation::broadcast, "tree");
  const auto shapes = [&](Range range, int branches) {
    range.settings.branches = branches;
    return sweep(tree, range, {}).shapes;
  };
  EXPECT_EQ(shapes({.ranks = {8}}, 1), 5 * 3);
  EXPECT_EQ(shapes({.ranks = {8}, .only_these = true}, 1), 3);
  EXPECT_EQ(shapes({.ranks = {8}}, 2), 3);
  EXPECT_EQ(shapes({.ranks = {8}, .all_roots = true}, 2), 8);
  EXPECT_EQ(shapes({.ranks = {1, 2, 3, 4, 5, 6, 7, 8}, .root = 5}, 2), 3);
}

TEST(Sweep, TalliesAreOfReductionsOnly) {
  const SweepResult broadcast =
      sweep(*algorithms::find(Operation::broadcast, "mst"), {.ranks = {1, 2, 3, 4, 5}}, {});
  EXPECT_STREQ(broadcast.canonical.text(), "-");
  EXPECT_FALSE(broadcast.in_place);
  const SweepResult sum =
      sweep(*algorithms::find(Operation::allreduce, "mst"), {.ranks = {1, 2, 3, 4, 5}}, {});
  EXPECT_STREQ(sum.canonical.text(), "always");
  EXPECT_TRUE(sum.in_place);
  EXPECT_EQ(sum.largest, "allreduce mst, p = 5");
}

}  // namespace
}  // namespace tutti::tools
