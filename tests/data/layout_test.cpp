// SPDX-License-Identifier: BSD-3-Clause
// Compares layouts with a naive double loop and with the elements that ScaLAPACK's BLACS move.
#include "data/layout.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "shapes.hpp"

namespace tutti::data::test {
namespace {

std::vector<std::int64_t> offsets_of(const Layout& layout, std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> offsets;
  layout.for_each_run(first, count,
                      [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
                        EXPECT_GT(length, 0);
                        EXPECT_EQ(position, first + static_cast<std::int64_t>(offsets.size()));
                        for (std::int64_t i = 0; i < length; ++i) offsets.push_back(offset + i);
                      });
  return offsets;
}

std::vector<std::int64_t> part(const std::vector<std::int64_t>& all, std::int64_t first,
                               std::int64_t count) {
  return {all.begin() + first, all.begin() + first + count};
}

TEST(Layout, EveryRangeOfEverySmallShape) {
  for (const Shape& shape : small_shapes(5)) {
    SCOPED_TRACE(shape.name);
    const auto size = static_cast<std::int64_t>(shape.offsets.size());
    ASSERT_EQ(shape.layout.size(), size);
    ASSERT_EQ(shape.layout.extent(), size == 0 ? 0 : shape.offsets.back() + 1);
    for (std::int64_t first = 0; first <= size; ++first) {
      for (std::int64_t count = 0; first + count <= size; ++count) {
        ASSERT_EQ(offsets_of(shape.layout, first, count), part(shape.offsets, first, count))
            << first << ' ' << count;
      }
    }
  }
}

TEST(Layout, RunAtIsTheFirstRun) {
  for (const Shape& shape : small_shapes(4)) {
    SCOPED_TRACE(shape.name);
    for (std::int64_t first = 0; first < shape.layout.size(); ++first) {
      for (std::int64_t count = 1; first + count <= shape.layout.size(); ++count) {
        const Layout::Run run = shape.layout.run_at(first, count);
        int runs = 0;
        shape.layout.for_each_run(
            first, count, [&](std::int64_t offset, std::int64_t length, std::int64_t position) {
              if (++runs > 1) return;
              ASSERT_EQ(run.offset, offset);
              ASSERT_EQ(run.length, length);
              ASSERT_EQ(run.position, position);
            });
      }
    }
  }
}

TEST(Layout, RandomRangesOfLargerShapes) {
  std::mt19937_64 random(20261121);
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  for (int trial = 0; trial < 300; ++trial) {
    const std::int64_t m = draw(1, 60), n = draw(1, 60), ld = m + draw(0, 3);
    const Shape shape =
        trial % 3 == 0 ? matrix_shape(m, n, ld)
                       : trapezoid_shape(trial % 2 == 0 ? Uplo::upper : Uplo::lower,
                                         trial % 5 == 0 ? Diag::unit : Diag::non_unit, m, n, ld);
    SCOPED_TRACE(shape.name);
    const auto size = static_cast<std::int64_t>(shape.offsets.size());
    ASSERT_EQ(shape.layout.size(), size);
    for (int range = 0; range < 20; ++range) {
      const std::int64_t first = draw(0, size), count = draw(0, size - first);
      ASSERT_EQ(offsets_of(shape.layout, first, count), part(shape.offsets, first, count))
          << first << ' ' << count;
    }
  }
}

struct ReferenceTrapezoid {
  char uplo, diag;
  int m, n;
  std::vector<std::int64_t> offsets;
};

TEST(Layout, TrapezoidsAreThoseOfTheReferenceBlacs) {
  const ReferenceTrapezoid table[] = {
#include "trapezoid_reference.inc"
  };
  EXPECT_EQ(std::size(table), 144U);
  for (const ReferenceTrapezoid& row : table) {
    const Layout layout =
        Layout::trapezoid(row.uplo == 'U' ? Uplo::upper : Uplo::lower,
                          row.diag == 'U' ? Diag::unit : Diag::non_unit, row.m, row.n, 7);
    EXPECT_EQ(offsets_of(layout, 0, layout.size()), row.offsets)
        << row.uplo << row.diag << row.m << 'x' << row.n;
  }
}

int runs_of(const Layout& layout) {
  int runs = 0;
  layout.for_each_run(0, layout.size(), [&](auto, auto, auto) { ++runs; });
  return runs;
}

TEST(Layout, ColumnsThatTouchAreOneRun) {
  EXPECT_EQ(runs_of(Layout::matrix(4, 9, 4)), 1);
  EXPECT_EQ(runs_of(Layout::matrix(4, 9, 5)), 9);
  EXPECT_EQ(runs_of(Layout::matrix(4, 1, 50)), 1);
  EXPECT_EQ(runs_of(Layout::matrix(4, 1, 0)), 1);
  EXPECT_EQ(runs_of(Layout::matrix(0, 9, 0)), 0);
  EXPECT_TRUE(Layout::matrix(4, 9, 4).is_contiguous());
  EXPECT_FALSE(Layout::matrix(4, 9, 5).is_contiguous());
  EXPECT_EQ(Layout::matrix(4, 9, 4), Layout::contiguous(36));
  EXPECT_EQ(Layout(), Layout::contiguous(0));
  // A trapezoid of one row is a row.
  EXPECT_EQ(Layout::trapezoid(Uplo::lower, Diag::non_unit, 1, 3, 2), Layout::matrix(1, 3, 2));
}

TEST(Layout, HugeShapesAreClosedForms) {
  const std::int64_t n = 500'000'000;
  const Layout lower = Layout::trapezoid(Uplo::lower, Diag::unit, n, n, n);
  EXPECT_EQ(lower.size(), n * (n - 1) / 2);
  EXPECT_EQ(offsets_of(lower, lower.size() - 1, 1),
            (std::vector<std::int64_t>{(n - 2) * n + n - 1}));
  const Layout upper = Layout::trapezoid(Uplo::upper, Diag::unit, n, n, n);
  EXPECT_EQ(offsets_of(upper, 0, 2), (std::vector<std::int64_t>{n, 2 * n}));
}

TEST(Layout, RejectsImpossibleShapes) {
  EXPECT_THROW((void)Layout::contiguous(-1), base::Error);
  EXPECT_THROW((void)Layout::matrix(-1, 1, 1), base::Error);
  EXPECT_THROW((void)Layout::matrix(1, -1, 1), base::Error);
  EXPECT_THROW((void)Layout::matrix(3, 2, 2), base::Error);
  const std::int64_t huge = std::int64_t{1} << 32;
  EXPECT_THROW((void)Layout::matrix(huge, huge, huge), base::Error);
  EXPECT_THROW((void)Layout::matrix(1, huge, huge), base::Error);
  EXPECT_THROW((void)Layout::trapezoid(Uplo::upper, Diag::unit, 3, 2, 2), base::Error);
}

}  // namespace
}  // namespace tutti::data::test
