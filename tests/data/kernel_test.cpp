// SPDX-License-Identifier: BSD-3-Clause
// Compares every kernel of every instruction set with a naive reference: all ways to alias, lengths
// around the vector width, ties, extreme integers and NaN.
#include <gtest/gtest.h>

#include <cstring>

#include "data/kernel_table.hpp"
#include "values.hpp"

namespace tutti::data::test {
namespace {

template <class T>
T naive(Builtin builtin, T a, T b);

template <class T>
T naive_arithmetic(Builtin builtin, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    // Shorter numbers would be multiplied as int, which does not wrap around.
    using U = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    const auto x = static_cast<U>(a), y = static_cast<U>(b);
    return static_cast<T>(builtin == Builtin::sum ? x + y : x * y);
  } else {
    if (builtin == Builtin::sum) return a + b;
    if constexpr (IsComplex<T>::value) {
      return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    } else {
      return a * b;
    }
  }
}

template <class T>
T naive_magnitude_choice(Builtin builtin, T a, T b) {
  const auto x = naive_magnitude(a), y = naive_magnitude(b);
  if (x != y) return (x > y) == (builtin == Builtin::absmax) ? a : b;
  return naive_greater(b, a) ? b : a;
}

template <class T>
T naive_bits(Builtin builtin, T a, T b) {
  const bool p = a != 0, q = b != 0;
  switch (builtin) {
    case Builtin::logical_and:
      return static_cast<T>(p && q);
    case Builtin::logical_or:
      return static_cast<T>(p || q);
    case Builtin::logical_xor:
      return static_cast<T>(p != q);
    case Builtin::bit_and:
      return static_cast<T>(a & b);
    case Builtin::bit_or:
      return static_cast<T>(a | b);
    default:
      return static_cast<T>(a ^ b);
  }
}

template <class T>
T naive(Builtin builtin, T a, T b) {
  if (builtin <= Builtin::product) return naive_arithmetic(builtin, a, b);
  if constexpr (!IsComplex<T>::value) {
    if (builtin == Builtin::max) return b > a ? b : a;
    if (builtin == Builtin::min) return b < a ? b : a;
  }
  if (builtin == Builtin::absmax || builtin == Builtin::absmin)
    return naive_magnitude_choice(builtin, a, b);
  if constexpr (std::is_integral_v<T>) return naive_bits(builtin, a, b);
  return a;
}

template <class T>
class Kernel : public testing::Test {};
using Types = testing::Types<std::uint8_t, std::int32_t, std::int64_t, float, double,
                             std::complex<float>, std::complex<double>, std::int8_t, std::int16_t,
                             std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Kernel, Types);

// Returns the kernels that this processor would use (version 0), or those for every processor.
CombineFn kernels(Builtin builtin, Element element, int version) {
  if (version == 0) return kernel(builtin, element);
  return kernels_baseline()
      .combine[static_cast<std::size_t>(builtin)][static_cast<std::size_t>(element)];
}

// Values of `aliasing`: 0 none, 1 result is left, 2 result is right, 3 all three are the same.
template <class T>
void check(Builtin builtin, CombineFn function, std::size_t count, int aliasing,
           std::mt19937_64& random) {
  std::vector<T> left = draw_many<T>(count + 1, random), right = draw_many<T>(count + 1, random);
  std::vector<T> result = draw_many<T>(count + 1, random);
  T* out = aliasing == 0 ? result.data() : aliasing == 2 ? right.data() : left.data();
  const T* second = aliasing == 3 ? left.data() : right.data();
  std::vector<T> expected(out, out + count + 1);  // the last one is a guard
  for (std::size_t i = 0; i < count; ++i) expected[i] = naive(builtin, left[i], second[i]);
  function(out, left.data(), second, static_cast<std::int64_t>(count), nullptr);
  ASSERT_EQ(std::vector<T>(out, out + count + 1), expected)
      << name_of(builtin) << " of " << count << ", aliasing " << aliasing;
}

TYPED_TEST(Kernel, EqualsTheNaiveReference) {
  std::mt19937_64 random(1);
  for (int b = 0; b < builtin_kinds; ++b) {
    const auto builtin = static_cast<Builtin>(b);
    for (int version = 0; version < 2; ++version) {
      const CombineFn function = kernels(builtin, element_of<TypeParam>(), version);
      ASSERT_EQ(function != nullptr, supported(builtin, element_of<TypeParam>()));
      if (function == nullptr) continue;
      for (std::size_t count :
           {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 1000}) {
        for (int aliasing = 0; aliasing < 4; ++aliasing) {
          ASSERT_NO_FATAL_FAILURE(check<TypeParam>(builtin, function, count, aliasing, random));
        }
      }
    }
  }
}

// The expected values were taken by hand from runs of ScaLAPACK's BLACS on two processes, with amx
// and amn without location and with six topologies.
TEST(Kernel, TiesAreThoseOfTheReferenceBlacs) {
  using Z = std::complex<double>;
  const std::vector<Z> left = {{1, 2}, {2, 1}, {-1, 2}, {-1, -2}, {1, -2}, {-3, 0}};
  const std::vector<Z> right = {{2, 1}, {1, 2}, {-1, -2}, {-1, 2}, {-2, 1}, {0, -3}};
  const std::vector<Z> winner = {{2, 1}, {2, 1}, {-1, 2}, {-1, 2}, {1, -2}, {0, -3}};
  std::vector<double> x = {3, -3, -3, 2}, y = {-3, 3, -3, -2.5};
  for (const Builtin builtin : {Builtin::absmax, Builtin::absmin}) {
    std::vector<Z> z(6);
    kernel(builtin, Element::complex128)(z.data(), left.data(), right.data(), 6, nullptr);
    EXPECT_EQ(z, winner) << name_of(builtin);
    std::vector<double> d(4);
    kernel(builtin, Element::float64)(d.data(), x.data(), y.data(), 4, nullptr);
    EXPECT_EQ(d, (std::vector<double>{3, 3, -3, builtin == Builtin::absmax ? -2.5 : 2}));
  }
}

TEST(Kernel, SmallestIntegerHasTheGreatestMagnitude) {
  constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min();
  const std::int32_t left[] = {low, low, low}, right[] = {5, low + 1, low};
  std::int32_t result[3];
  kernel(Builtin::absmax, Element::int32)(result, left, right, 3, nullptr);
  EXPECT_EQ(std::vector<std::int32_t>(result, result + 3),
            (std::vector<std::int32_t>{low, low, low}));
  kernel(Builtin::absmin, Element::int32)(result, left, right, 3, nullptr);
  EXPECT_EQ(std::vector<std::int32_t>(result, result + 3),
            (std::vector<std::int32_t>{5, low + 1, low}));
}

template <class T>
void check_nan() {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (const Builtin builtin : {Builtin::max, Builtin::min, Builtin::absmax, Builtin::absmin}) {
    for (int version = 0; version < 2; ++version) {
      std::vector<T> left(40, T{1}), right(40, T{2}), result(40);
      for (std::size_t i = 0; i < 40; i += 3) (i % 2 == 0 ? left : right)[i] = nan;
      kernels(builtin, element_of<T>(), version)(result.data(), left.data(), right.data(), 40,
                                                 nullptr);
      for (std::size_t i = 0; i < 40; ++i)
        ASSERT_EQ(std::isnan(result[i]), i % 3 == 0) << name_of(builtin) << i;
    }
  }
}

TEST(Kernel, NanWins) {
  check_nan<float>();
  check_nan<double>();
}

TEST(Kernel, ComplexNanWins) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::complex<double> left[] = {{nan, 0}, {9, 9}}, right[] = {{9, 9}, {0, nan}};
  for (const Builtin builtin : {Builtin::absmax, Builtin::absmin}) {
    std::complex<double> result[2];
    kernel(builtin, Element::complex128)(result, left, right, 2, nullptr);
    EXPECT_TRUE(std::isnan(result[0].real()) && std::isnan(result[1].imag())) << name_of(builtin);
  }
}

}  // namespace
}  // namespace tutti::data::test
