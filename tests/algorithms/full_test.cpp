// SPDX-License-Identifier: BSD-3-Clause
// Goes beyond the exhaustive test: every generator for each p from 65 to 130, and for random p up
// to 2000. Published schedules were wrong first at p = 33 and beyond. The seed is printed;
// TUTTI_SEED repeats a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>

#include "algorithms/registry.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"
#include "shapes.hpp"

namespace tutti {
namespace {

using schedule::Generator;
using schedule::Placement;
using schedule::Shape;

constexpr int first_p = 65, last_p = 130, largest_p = 2000;
constexpr int shapes_per_p = 2;
constexpr int most_random_shapes = 40;
constexpr std::chrono::seconds time_for_random_shapes{
    5};  // per generator; one shape is always tried
constexpr std::int64_t most_cells =
    1 << 20;  // blocks of all ranks: complete exchanges stay below p = 600

unsigned seed() {
  static const unsigned value = [] {
    const char* given = std::getenv("TUTTI_SEED");
    const unsigned chosen = given != nullptr ? static_cast<unsigned>(std::atoi(given))
                                             : std::random_device{}() % 1000000;
    fmt::print("seed: TUTTI_SEED={}\n", chosen);
    return chosen;
  }();
  return value;
}

class EveryGenerator : public testing::TestWithParam<const Generator*> {
 protected:
  // Each generator has its own random numbers, so that it can be repeated alone.
  std::mt19937 random_{seed() +
                       static_cast<unsigned>(std::hash<std::string>{}(full_name(*GetParam())))};

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  static std::int64_t cells(const Shape& shape) {
    const schedule::Buffers buffers = GetParam()->buffers(shape);
    return (std::int64_t{buffers.input} + buffers.output + buffers.scratch) * shape.p;
  }

  // Tries one of the shapes for p, with root 0 in half of the cases.
  void try_shape(const Shapes& shapes, int p) {
    if (shapes.all.empty()) return;
    const auto index = static_cast<std::size_t>(below(static_cast<int>(shapes.all.size())));
    Shape shape = shapes.all[index];
    shape.root = below(2) == 0 ? 0 : below(p);
    const Generator& g = *GetParam();
    const schedule::Verdict verdict = schedule::verify(g, shape);
    ASSERT_TRUE(verdict.correct()) << describe(g, shape) << ": " << verdict.problem;
    ASSERT_TRUE(verdict.same_tree) << describe(g, shape);
    const schedule::Buffers buffers = g.buffers(shape);
    const bool both = buffers.input > 0 && buffers.output > 0;
    const auto placement = both && below(2) == 0 ? Placement::in_place : Placement::separate;
    const schedule::Verdict normal = schedule::verify_normalized(g, shape, placement);
    ASSERT_TRUE(normal.correct()) << describe(g, shape) << ", normalised: " << normal.problem;
    ASSERT_TRUE(normal.counts == verdict.counts) << describe(g, shape);
  }
};

TEST_P(EveryGenerator, IsRightTo130) {
  for (int p = first_p; p <= last_p; ++p) {
    const Shapes shapes = shapes_of(*GetParam(), p);
    for (int i = 0; i < shapes_per_p; ++i) {
      try_shape(shapes, p);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(EveryGenerator, IsRightForRandomGroupsTo2000) {
  const auto end = std::chrono::steady_clock::now() + time_for_random_shapes;
  int tried = 0;
  while (tried == 0 || (tried < most_random_shapes && std::chrono::steady_clock::now() < end)) {
    // Small groups are as likely as large ones.
    const double scale = std::uniform_real_distribution<double>(0, 1)(random_);
    int p = static_cast<int>((last_p + 1) * std::pow(double{largest_p} / (last_p + 1), scale));
    Shapes shapes = shapes_of(*GetParam(), p);
    if (shapes.all.empty())
      shapes = shapes_of(*GetParam(), p = 256 << below(3));  // powers of two only
    if (shapes.all.empty() || cells(shapes.all.front()) <= most_cells) {
      try_shape(shapes, p);
      ++tried;
    }
    if (HasFatalFailure()) return;
  }
  RecordProperty("shapes", tried);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, EveryGenerator,
                         testing::ValuesIn(algorithms::all().begin(), algorithms::all().end()),
                         [](const auto& generator) { return identifier(*generator.param); });

}  // namespace
}  // namespace tutti
