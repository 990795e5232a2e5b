// SPDX-License-Identifier: BSD-3-Clause
// Tests absmax and absmin with location from start to end: leaf map, combining in any order, and
// final map, against a naive search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "data/kernel_table.hpp"
#include "values.hpp"

namespace tutti::data::test {
namespace {

template <class T>
class LocatedKernel : public testing::Test {
 protected:
  static LocatedKernels kernels(Builtin builtin, int version) {
    if (version == 0) return located(builtin, element_of<T>());
    return kernels_baseline()
        .located[builtin == Builtin::absmin ? 1 : 0][static_cast<std::size_t>(element_of<T>())];
  }
};
using Types = testing::Types<std::int32_t, std::int64_t, float, double, std::complex<float>,
                             std::complex<double>>;
TYPED_TEST_SUITE(LocatedKernel, Types);

struct Job {
  Builtin builtin;
  LocatedKernels kernels;
  std::size_t count;
};

// Rank r of `operands` has the distance r. Neighbours are combined in a random order; either one
// may be the left operand.
template <class T>
void check(const Job& job, const std::vector<std::vector<T>>& operands, std::mt19937_64& random) {
  const auto n = static_cast<std::int64_t>(job.count);
  std::vector<std::vector<char>> wires;
  for (std::size_t r = 0; r < operands.size(); ++r) {
    wires.emplace_back(job.count * job.kernels.wire_bytes + 1, '#');
    job.kernels.leaf_map(wires.back().data(), operands[r].data(), n, static_cast<std::int32_t>(r));
  }
  std::shuffle(wires.begin(), wires.end(), random);
  while (wires.size() > 1) {
    std::vector<char> last = std::move(wires.back());
    wires.pop_back();
    std::vector<char>& into = wires[random() % wires.size()];
    const bool swap = random() % 2 == 0;  // result is then the right operand
    job.kernels.combine(into.data(), swap ? last.data() : into.data(),
                        swap ? into.data() : last.data(), n, nullptr);
    ASSERT_EQ(into.back(), '#');
  }
  std::vector<T> values(job.count);
  std::vector<std::int32_t> distances(job.count);
  job.kernels.final_map(values.data(), distances.data(), wires[0].data(), n);
  for (std::size_t i = 0; i < job.count; ++i) {
    std::size_t best = 0;
    for (std::size_t r = 1; r < operands.size(); ++r) {
      const auto x = naive_magnitude(operands[r][i]), y = naive_magnitude(operands[best][i]);
      if (job.builtin == Builtin::absmax ? x > y : x < y) best = r;
    }
    ASSERT_EQ(values[i], operands[best][i]) << i;
    ASSERT_EQ(distances[i], static_cast<std::int32_t>(best)) << i;
  }
}

TYPED_TEST(LocatedKernel, FindsTheFirstExtremeInAnyOrder) {
  std::mt19937_64 random(5);
  for (const Builtin builtin : {Builtin::absmax, Builtin::absmin}) {
    for (int version = 0; version < 2; ++version) {
      for (std::size_t count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 100}) {
        for (int ranks = 1; ranks <= 5; ++ranks) {
          std::vector<std::vector<TypeParam>> operands;
          for (int r = 0; r < ranks; ++r) operands.push_back(draw_many<TypeParam>(count, random));
          const Job job{builtin, TestFixture::kernels(builtin, version), count};
          ASSERT_NO_FATAL_FAILURE(check(job, operands, random))
              << name_of(builtin) << ' ' << count << ' ' << ranks;
        }
      }
    }
  }
}

TYPED_TEST(LocatedKernel, FinalMapMayLeaveOutEither) {
  const LocatedKernels kernels = TestFixture::kernels(Builtin::absmax, 0);
  const TypeParam value{7};
  std::vector<char> wire(kernels.wire_bytes);
  kernels.leaf_map(wire.data(), &value, 1, 42);
  TypeParam out{};
  std::int32_t distance = 0;
  kernels.final_map(&out, nullptr, wire.data(), 1);
  kernels.final_map(nullptr, &distance, wire.data(), 1);
  EXPECT_EQ(out, value);
  EXPECT_EQ(distance, 42);
}

TEST(Located, WireIsAsDocumented) {
  const std::size_t bytes[element_kinds] = {0, 8, 16, 8, 16, 12, 24};  // the others have none
  for (int e = 0; e < element_kinds; ++e) {
    EXPECT_EQ(located(Builtin::absmax, static_cast<Element>(e)).wire_bytes, bytes[e]) << e;
    EXPECT_EQ(located(Builtin::sum, static_cast<Element>(e)).wire_bytes, 0U) << e;
  }
  const double value = 2.5;
  char wire[16];
  located(Builtin::absmin, Element::float64).leaf_map(wire, &value, 1, 3);
  double seen = 0;
  std::int64_t distance = 0;
  std::memcpy(&seen, wire, 8);
  std::memcpy(&distance, wire + 8, 8);
  EXPECT_EQ(seen, value);
  EXPECT_EQ(distance, 3);
}

TEST(Located, NanWinsWhereverItStands) {
  const double values[2] = {std::numeric_limits<double>::quiet_NaN(), 100};
  for (const Builtin builtin : {Builtin::absmax, Builtin::absmin}) {
    const LocatedKernels k = located(builtin, Element::float64);
    // Each case has one element: {left, right} with the distances 0 and 1.
    for (const auto& [left, right, winner] : {std::tuple{0, 1, 0}, {1, 0, 1}, {0, 0, 0}}) {
      char a[16], b[16];
      std::int32_t distance = -1;
      double value = 0;
      k.leaf_map(a, &values[left], 1, 0);
      k.leaf_map(b, &values[right], 1, 1);
      k.combine(a, a, b, 1, nullptr);
      k.final_map(&value, &distance, a, 1);
      EXPECT_TRUE(std::isnan(value));
      EXPECT_EQ(distance, winner);
    }
  }
}

}  // namespace
}  // namespace tutti::data::test
