// SPDX-License-Identifier: BSD-3-Clause
// Tests the hybrid generators where the exhaustive test of all generators does not reach: many
// lists with uneven groups, meshes, and special cases that other families have in other forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/hybrid.hpp"
#include "algorithms/registry.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {
namespace {

using schedule::Operation;
using schedule::Placement;
using schedule::Shape;

constexpr Operation operations[] = {
    Operation::broadcast, Operation::reduce,    Operation::allreduce,     Operation::scatter,
    Operation::gather,    Operation::allgather, Operation::reduce_scatter};

const schedule::Generator& named(Operation operation, const char* name) {
  return *algorithms::find(operation, name);
}

void expect_right(Operation operation, const Shape& shape, const std::string& strategy) {
  const schedule::Generator& g = named(operation, "hybrid");
  ASSERT_TRUE(g.applies(shape)) << strategy << " on " << shape.p;
  for (const Placement placement : {Placement::separate, Placement::in_place}) {
    const schedule::Verdict verdict = schedule::verify_normalized(g, shape, placement);
    EXPECT_TRUE(verdict.correct() && verdict.same_tree) << fmt::format(
        "{} on {} ranks, root {}: {}", strategy, shape.p, shape.root, verdict.problem);
  }
}

TEST(HybridGenerator, AnyNumberOfRanks) {
  int which = 0;
  for (const int p : {30, 60, 63, 64, 97}) {
    std::vector<Strategy> all = strategies(1, p);
    for (Strategy& s : uneven_strategies(p, 4)) all.push_back(std::move(s));
    for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 40) {
      const std::vector<int> factors = all[i].shape_factors();
      for (const Operation operation : operations)
        expect_right(operation,
                     {.p = p, .root = which++ * 31 % p, .factors = factors, .cut = all[i].cut},
                     all[i].name());
    }
  }
}

// Adds all ordered lists whose product is at least p and less than 2 p.
void add_lists(int p, int product, std::vector<int>& list, std::vector<std::vector<int>>& all) {
  if (product >= p) all.push_back(list);
  for (int size = 2; product * size < 2 * p; ++size) {
    list.push_back(size);
    add_lists(p, product * size, list, all);
    list.pop_back();
  }
}

TEST(HybridGenerator, EveryListOfSmallGroups) {
  int applicable = 0;
  for (int p = 2; p <= 12; ++p) {
    std::vector<int> list;
    std::vector<std::vector<int>> lists;
    add_lists(p, 1, list, lists);
    for (const std::vector<int>& factors : lists) {
      if (!named(Operation::broadcast, "hybrid").applies({.p = p, .factors = factors})) continue;
      ++applicable;
      for (int cut = 0; cut <= static_cast<int>(factors.size()); ++cut)
        for (const Operation operation : operations)
          for (int root = 0; root < p; ++root)
            expect_right(operation, {.p = p, .root = root, .factors = factors, .cut = cut},
                         "a list");
    }
  }
  EXPECT_GT(applicable, 100);
}

TEST(HybridGenerator, Meshes) {
  int which = 0;
  for (const auto& [rows, columns] : {std::pair{4, 6}, {5, 6}, {8, 8}, {12, 3}}) {
    const int p = rows * columns;
    const std::vector<Strategy> all = strategies(rows, columns);
    for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 60) {
      const std::vector<int> factors = all[i].shape_factors();
      for (const Operation operation : operations)
        expect_right(operation,
                     {.p = p, .root = which++ * 7 % p, .factors = factors, .cut = all[i].cut},
                     all[i].name());
    }
  }
  const std::vector<int> cube{2, algorithms::along(2, 4), 3, algorithms::along(1, 2)};
  for (int cut = 0; cut <= 4; ++cut)
    for (const Operation operation : operations)
      expect_right(operation, {.p = 48, .root = 29, .factors = cube, .cut = cut}, "2x4d2x3x2r");
}

TEST(HybridGenerator, RefusesWhatIsNoSplit) {
  const auto applies = [](int p, const std::vector<int>& factors, int cut) {
    return named(Operation::broadcast, "hybrid").applies({.p = p, .factors = factors, .cut = cut});
  };
  EXPECT_TRUE(applies(1, {}, 0));
  EXPECT_TRUE(applies(12, {3, 4}, 2));
  EXPECT_TRUE(applies(9, {3, 4}, 2));
  EXPECT_FALSE(applies(8, {3, 4}, 2));  // groups of three and of one
  EXPECT_FALSE(applies(13, {3, 4}, 2));
  EXPECT_FALSE(applies(12, {3, 4}, 3));
  EXPECT_FALSE(applies(12, {3, 4}, -1));
  EXPECT_FALSE(applies(12, {12, 1}, 1));
  EXPECT_FALSE(applies(12, {-3, -4}, 1));
  EXPECT_FALSE(applies(12, {}, 0));
  EXPECT_TRUE(applies(12, {3, algorithms::along(1, 4)}, 1));
  EXPECT_FALSE(applies(11, {3, algorithms::along(1, 4)}, 1));  // a mesh is full
  EXPECT_FALSE(applies(2, std::vector<int>(40, 2), 1));
}

// With twos only, every reduction has the tree of reference, for any p.
TEST(HybridGenerator, TwosKeepTheTreeOfReference) {
  for (int p = 2; p <= 64; ++p) {
    const std::vector<int> twos(static_cast<std::size_t>(schedule::ceil_log2(p)), 2);
    for (int cut = 0; cut <= static_cast<int>(twos.size()); ++cut) {
      for (const Operation operation :
           {Operation::reduce, Operation::allreduce, Operation::reduce_scatter}) {
        const schedule::Verdict verdict = schedule::verify(
            named(operation, "hybrid"), {.p = p, .root = p / 3, .factors = twos, .cut = cut});
        EXPECT_TRUE(verdict.correct() && verdict.canonical && verdict.rank_order)
            << p << " cut " << cut;
      }
    }
  }
}

// One short factor gives, message for message, the minimum spanning tree.
TEST(HybridGenerator, OneShortFactorIsTheSpanningTree) {
  for (const int p : {2, 5, 8, 13, 30}) {
    const std::vector<int> factors{p};
    for (const Operation operation : {Operation::broadcast, Operation::reduce, Operation::allreduce,
                                      Operation::scatter, Operation::gather}) {
      const Shape shape{.p = p, .root = p - 1, .factors = factors, .cut = 0};
      for (int rank = 0; rank < p; ++rank)
        EXPECT_EQ(schedule::build(named(operation, "hybrid"), shape, schedule::Rank{rank}),
                  schedule::build(named(operation, "mst"), shape, schedule::Rank{rank}));
    }
  }
}

// One long factor gives as many messages, blocks and combines at the same times as the bucket ring.
TEST(HybridGenerator, OneLongFactorIsTheRing) {
  for (const int p : {2, 5, 8, 13, 30}) {
    const std::vector<int> factors{p};
    for (const Operation operation : {Operation::allgather, Operation::reduce_scatter}) {
      const Shape shape{.p = p, .factors = factors, .cut = 1};
      EXPECT_EQ(schedule::verify(named(operation, "hybrid"), shape).counts,
                schedule::verify(named(operation, "ring"), shape).counts);
    }
  }
}

}  // namespace
}  // namespace tutti::selection
