// SPDX-License-Identifier: BSD-3-Clause
// Paper 001, section 3.3: on a mesh none of the seven operations has two messages on one link, for
// any number of rows and columns and any root, and each costs what the section states.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/hybrid.hpp"
#include "algorithms/registry.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "traffic/load.hpp"

namespace tutti::traffic {
namespace {

using schedule::Operation;
using schedule::Shape;

constexpr Operation seven[] = {
    Operation::broadcast, Operation::reduce,         Operation::scatter,  Operation::gather,
    Operation::allgather, Operation::reduce_scatter, Operation::allreduce};

enum class Kind { short_vector, long_vector };

// The coefficient of alpha, and those of beta and gamma in p-ths of the vector.
struct PaperCost {
  std::int64_t alpha, beta, gamma;
  friend bool operator==(const PaperCost&, const PaperCost&) = default;
  friend void PrintTo(const PaperCost& cost, std::ostream* out) {
    *out << fmt::format("alpha {} beta {} gamma {}", cost.alpha, cost.beta, cost.gamma);
  }
};

PaperCost short_cost(Operation operation, std::int64_t p, std::int64_t trees) {
  const std::int64_t whole = trees * p, parts = p - 1;
  switch (operation) {
    case Operation::broadcast:
      return {trees, whole, 0};
    case Operation::reduce:
      return {trees, whole, whole};
    case Operation::allgather:
      return {2 * trees, parts + whole, 0};
    case Operation::reduce_scatter:
      // The paper prints the last term with beta. It is that of the combining.
      return {2 * trees, parts + whole, whole};
    case Operation::allreduce:
      return {2 * trees, 2 * whole, whole};
    default:
      return {trees, parts, 0};
  }
}

PaperCost long_cost(Operation operation, std::int64_t p, std::int64_t trees, std::int64_t rings) {
  const std::int64_t parts = p - 1;
  switch (operation) {
    case Operation::broadcast:
      return {trees + rings, 2 * parts, 0};
    case Operation::reduce:
      return {trees + rings, 2 * parts, parts};
    case Operation::allgather:
      return {rings, parts, 0};
    case Operation::reduce_scatter:
      return {rings, parts, parts};
    case Operation::allreduce:
      return {2 * rings, 2 * parts, parts};
    default:
      return {trees, parts, 0};
  }
}

PaperCost stated(Operation operation, Kind kind, int rows, int columns) {
  const int trees = schedule::ceil_log2(rows) + schedule::ceil_log2(columns);
  return kind == Kind::short_vector
             ? short_cost(operation, rows * columns, trees)
             : long_cost(operation, rows * columns, trees, rows + columns - 2);
}

PaperCost counted(const schedule::Generator& generator, const Shape& shape) {
  const schedule::Verdict verdict = schedule::verify(generator, shape);
  EXPECT_EQ(verdict.problem, "");
  EXPECT_TRUE(verdict.one_port);
  const int parts = generator.buffers(shape).parts;
  EXPECT_TRUE(parts == 1 || parts == shape.p);
  const int scale = shape.p / parts;
  const schedule::Counts& counts = verdict.counts;
  return {counts.alpha, counts.beta * scale, counts.gamma * scale};
}

// The two orders in which a mesh can be taken: columns first, or rows first.
std::vector<std::vector<int>> orders(int rows, int columns) {
  std::vector<int> list;
  if (rows > 1) list.push_back(algorithms::along(1, rows));
  if (columns > 1) list.push_back(algorithms::along(0, columns));
  if (list.size() < 2) return {list};
  return {list, {list[1], list[0]}};
}

class Meshes : public testing::TestWithParam<std::pair<int, int>> {
 protected:
  // Calls f with each of the seven operations, each kind, each order and each root.
  template <class F>
  void for_each_call(F f) {
    const auto [rows, columns] = GetParam();
    for (const std::vector<int>& factors : orders(rows, columns)) {
      for (const Kind kind : {Kind::short_vector, Kind::long_vector}) {
        const int cut = kind == Kind::short_vector ? 0 : static_cast<int>(factors.size());
        for (const Operation operation : seven) {
          for (int root = 0; root < rows * columns; ++root)
            f(operation, kind,
              Shape{.p = rows * columns, .root = root, .factors = factors, .cut = cut});
        }
      }
    }
  }
};

TEST_P(Meshes, NoLinkCarriesTwoMessages) {
  const auto [rows, columns] = GetParam();
  const auto mesh = machine::parse_topology(fmt::format("mesh:{}x{}", rows, columns));
  for_each_call([&](Operation operation, Kind, const Shape& shape) {
    const Messages messages =
        routed(messages_of(*algorithms::find(operation, "hybrid"), shape), *mesh);
    EXPECT_LE(most_load(messages, *mesh), 1)
        << schedule::to_text(operation) << " cut " << shape.cut << " root " << shape.root;
  });
}

TEST_P(Meshes, CostsWhatThePaperStates) {
  const auto [rows, columns] = GetParam();
  for_each_call(
      [&, rows = rows, columns = columns](Operation operation, Kind kind, const Shape& shape) {
        EXPECT_EQ(counted(*algorithms::find(operation, "hybrid"), shape),
                  stated(operation, kind, rows, columns))
            << schedule::to_text(operation) << " cut " << shape.cut << " root " << shape.root;
      });
}

// Returns the meshes of at least `least` and less than `end` rows and columns.
std::vector<std::pair<int, int>> meshes(int least, int end) {
  std::vector<std::pair<int, int>> all;
  for (int rows = 1; rows < end; ++rows)
    for (int columns = 1; columns < end; ++columns)
      if (std::max(rows, columns) >= least) all.emplace_back(rows, columns);
  return all;
}
std::vector<std::pair<int, int>> large_meshes() {
  std::vector<std::pair<int, int>> all = meshes(6, 9);
  all.emplace_back(6, 10);
  all.emplace_back(10, 10);
  return all;
}

std::string name_of(const testing::TestParamInfo<std::pair<int, int>>& tested) {
  return fmt::format("{}x{}", tested.param.first, tested.param.second);
}
INSTANTIATE_TEST_SUITE_P(Small, Meshes, testing::ValuesIn(meshes(1, 6)), name_of);
INSTANTIATE_TEST_SUITE_P(Large, Meshes, testing::ValuesIn(large_meshes()), name_of);

// A tree over the numbers of the ranks knows nothing of rows, so for some roots its messages meet
// where the numbers of rows or columns are no powers of two.
TEST(Loads, TreesOverRankNumbersMeetOnMeshes) {
  for (const char* name : {"mesh:3x5", "mesh:5x7", "mesh:6x10"}) {
    const auto mesh = machine::parse_topology(name);
    const schedule::Generator& mst = *algorithms::find(Operation::broadcast, "mst");
    int most = 0;
    for (int root = 0; root < mesh->nodes(); ++root) {
      const Shape shape{.p = mesh->nodes(), .root = root};
      most = std::max(most, most_load(routed(messages_of(mst, shape), *mesh), *mesh));
    }
    EXPECT_GT(most, 1) << name;
  }
}

}  // namespace
}  // namespace tutti::traffic
