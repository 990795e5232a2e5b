// SPDX-License-Identifier: BSD-3-Clause
// Compares pack and unpack with the naive double loop, with both store policies and with guards
// around every destination.
#include "data/pack.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "shapes.hpp"

namespace tutti::data::test {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes random_bytes(std::size_t size, std::mt19937_64& random) {
  Bytes bytes(size);
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random());
  return bytes;
}

class Pack : public testing::TestWithParam<std::tuple<Store, std::size_t>> {
 protected:
  // Packs and unpacks one range, at a destination that is `skew` bytes off.
  void check(const Shape& shape, std::int64_t first, std::int64_t count, std::size_t skew) {
    const auto [store, width] = GetParam();
    const auto size = static_cast<std::size_t>(shape.layout.extent()) * width;
    const auto packed_size = static_cast<std::size_t>(count) * width;
    const Bytes source = random_bytes(size + skew, random_);
    Bytes packed = random_bytes(packed_size + 2 * skew, random_), expected = packed;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto from =
          static_cast<std::size_t>(shape.offsets[static_cast<std::size_t>(first + i)]) * width;
      std::memcpy(&expected[skew + static_cast<std::size_t>(i) * width], &source[from], width);
    }
    pack(packed.data() + skew, source.data(), shape.layout, width, first, count, store);
    store_fence();
    ASSERT_EQ(packed, expected);

    Bytes target = random_bytes(size + skew, random_), wanted = target;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto to =
          static_cast<std::size_t>(shape.offsets[static_cast<std::size_t>(first + i)]) * width;
      std::memcpy(&wanted[to], &packed[skew + static_cast<std::size_t>(i) * width], width);
    }
    unpack(target.data(), packed.data() + skew, shape.layout, width, first, count, store);
    store_fence();
    ASSERT_EQ(target, wanted);
  }

  std::mt19937_64 random_{7};
};

TEST_P(Pack, EveryRangeOfSmallShapes) {
  for (const Shape& shape : small_shapes(3)) {
    SCOPED_TRACE(shape.name);
    const auto size = static_cast<std::int64_t>(shape.offsets.size());
    for (std::int64_t first = 0; first <= size; ++first) {
      for (std::int64_t count = 0; first + count <= size; ++count) {
        ASSERT_NO_FATAL_FAILURE(
            check(shape, first, count, static_cast<std::size_t>(first % 3) * 8));
      }
    }
  }
}

TEST_P(Pack, RandomRangesOfLargerShapes) {
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  };
  for (int trial = 0; trial < 120; ++trial) {
    const std::int64_t m = draw(1, 400), n = draw(1, 40), ld = m + draw(0, 2);
    const Shape shape = trial % 2 == 0 ? matrix_shape(m, n, ld)
                                       : trapezoid_shape(trial % 4 == 1 ? Uplo::upper : Uplo::lower,
                                                         Diag::non_unit, m, n, ld);
    SCOPED_TRACE(shape.name);
    const auto size = static_cast<std::int64_t>(shape.offsets.size());
    const std::int64_t first = draw(0, size / 2);
    ASSERT_NO_FATAL_FAILURE(
        check(shape, first, draw(0, size - first), static_cast<std::size_t>(draw(0, 80))));
  }
}

std::string name_of_case(const testing::TestParamInfo<Pack::ParamType>& info) {
  return fmt::format("{}_{}bytes",
                     std::get<0>(info.param) == Store::plain ? "plain" : "non_temporal",
                     std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Pack,
                         testing::Combine(testing::Values(Store::plain, Store::non_temporal),
                                          testing::Values(1, 3, 4, 8, 16, 24)),
                         name_of_case);

TEST(Copy, EveryLengthAndAlignment) {
  std::mt19937_64 random(3);
  const Bytes source = random_bytes(512, random);
  for (const Store store : {Store::plain, Store::non_temporal}) {
    for (std::size_t skew = 0; skew < 64; skew += 7) {
      for (std::size_t length = 0; length < 300; ++length) {
        Bytes to(400, 9), expected = to;
        std::memcpy(expected.data() + skew, source.data() + skew / 2, length);
        copy(to.data() + skew, source.data() + skew / 2, length, store);
        store_fence();
        ASSERT_EQ(to, expected) << skew << ' ' << length;
      }
    }
  }
}

TEST(Pack, NothingIsTouchedWhenThereIsNothing) {
  pack(nullptr, nullptr, Layout::contiguous(0), Element::float64, 0, 0, Store::non_temporal);
  unpack(nullptr, nullptr, Layout::matrix(0, 7, 0), Element::float64, 0, 0);
  copy(nullptr, nullptr, 0, Store::plain);
}

TEST(Pack, ElementGivesTheWidth) {
  const double a[] = {1, 2, 3, 4, 5, 6};
  double packed[4] = {}, back[6] = {};
  pack(packed, a, Layout::matrix(2, 2, 3), Element::float64, 0, 4);
  EXPECT_EQ((std::vector<double>(packed, packed + 4)), (std::vector<double>{1, 2, 4, 5}));
  unpack(back, packed, Layout::matrix(2, 2, 3), Element::float64, 0, 4);
  EXPECT_EQ((std::vector<double>(back, back + 6)), (std::vector<double>{1, 2, 0, 4, 5, 0}));
}

}  // namespace
}  // namespace tutti::data::test
