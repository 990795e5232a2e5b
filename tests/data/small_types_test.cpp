// SPDX-License-Identifier: BSD-3-Clause
// Compares the kernels on elements of 8 and 16 bits with computations of another kind, for every
// instruction set: all pairs of values of 8 bits, and each value of 16 bits with a few others.
// Integers are computed in 64 bits. A result of float16 or bfloat16 is looked up among all numbers
// of that type.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "data/kernel_table.hpp"

namespace tutti::data::test {
namespace {

// Returns the kernels without AVX2, or those with it where the processor has it.
const KernelTable& table(int version) {
#if defined(__x86_64__)
  if (version == 2 && __builtin_cpu_supports("avx2")) return kernels_avx2();
#endif
  return kernels_baseline();
}

CombineFn kernels(Builtin builtin, Element element, int version) {
  if (version == 0) return kernel(builtin, element);
  return table(version)
      .combine[static_cast<std::size_t>(builtin)][static_cast<std::size_t>(element)];
}

// The operands of one call.
template <class T>
struct Pairs {
  std::vector<T> left, right;
  void add(T a, T b) {
    left.push_back(a);
    right.push_back(b);
  }
};

// Runs a kernel on all pairs, into memory of its own and in place.
template <class T>
void expect_results(Builtin builtin, Element element, const Pairs<T>& pairs,
                    const std::vector<T>& expected) {
  const auto count = static_cast<std::int64_t>(expected.size());
  for (int version = 0; version < 3; ++version) {
    const CombineFn function = kernels(builtin, element, version);
    ASSERT_NE(function, nullptr) << name_of(builtin) << " of " << name_of(element);
    std::vector<T> result(expected.size()), in_place = pairs.left;
    function(result.data(), pairs.left.data(), pairs.right.data(), count, nullptr);
    function(in_place.data(), in_place.data(), pairs.right.data(), count, nullptr);
    const auto differs = std::mismatch(result.begin(), result.end(), expected.begin()).first;
    if (differs != result.end()) {
      const auto i = static_cast<std::size_t>(differs - result.begin());
      FAIL() << name_of(builtin) << " of " << name_of(element) << " " << +pairs.left[i] << " and "
             << +pairs.right[i] << " gives " << +result[i] << ", not " << +expected[i];
    }
    EXPECT_EQ(in_place, expected) << name_of(builtin) << " of " << name_of(element);
  }
}

std::int64_t exact(Builtin builtin, std::int64_t a, std::int64_t b) {
  const std::int64_t x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  switch (builtin) {
    case Builtin::sum:
      return a + b;
    case Builtin::product:
      return a * b;
    case Builtin::max:
      return std::max(a, b);
    case Builtin::min:
      return std::min(a, b);
    case Builtin::absmax:
      return x != y ? (x > y ? a : b) : std::max(a, b);
    case Builtin::absmin:
      return x != y ? (x < y ? a : b) : std::max(a, b);
    case Builtin::logical_and:
      return a != 0 && b != 0;
    case Builtin::logical_or:
      return a != 0 || b != 0;
    case Builtin::logical_xor:
      return (a != 0) != (b != 0);
    case Builtin::bit_and:
      return a & b;
    case Builtin::bit_or:
      return a | b;
    default:
      return a ^ b;
  }
}

template <class T>
void check_integers(Element element, const Pairs<T>& pairs) {
  for (int b = 0; b < builtin_kinds; ++b) {
    const auto builtin = static_cast<Builtin>(b);
    std::vector<T> expected;
    for (std::size_t i = 0; i < pairs.left.size(); ++i)
      expected.push_back(static_cast<T>(exact(builtin, pairs.left[i], pairs.right[i])));
    ASSERT_NO_FATAL_FAILURE(expect_results(builtin, element, pairs, expected));
  }
}

// All pairs of numbers of one byte.
template <class T>
Pairs<T> all_pairs() {
  Pairs<T> pairs;
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) pairs.add(static_cast<T>(a), static_cast<T>(b));
  return pairs;
}

TEST(SmallTypes, IntegersOf8Bits) {
  check_integers(Element::int8, all_pairs<std::int8_t>());
  check_integers(Element::uint8, all_pairs<std::uint8_t>());
}

template <class T>
Pairs<T> pairs_of_16_bits() {
  Pairs<T> pairs;
  for (int a = 0; a < 65536; ++a) {
    for (const int b : {0, 1, 2, 3, 181, 255, 256, 32767, 32768, 32769, 65534, 65535})
      pairs.add(static_cast<T>(a), static_cast<T>(b));
  }
  return pairs;
}

TEST(SmallTypes, IntegersOf16Bits) {
  check_integers(Element::int16, pairs_of_16_bits<std::int16_t>());
  check_integers(Element::uint16, pairs_of_16_bits<std::uint16_t>());
}

TEST(SmallTypes, Booleans) {
  const Pairs<std::uint8_t> pairs = all_pairs<std::uint8_t>();
  for (int b = 0; b < builtin_kinds; ++b) {
    const auto builtin = static_cast<Builtin>(b);
    const bool both = builtin == Builtin::product || builtin == Builtin::min ||
                      builtin == Builtin::absmin || builtin == Builtin::logical_and ||
                      builtin == Builtin::bit_and;
    const bool odd = builtin == Builtin::logical_xor || builtin == Builtin::bit_xor;
    std::vector<std::uint8_t> expected;
    for (std::size_t i = 0; i < pairs.left.size(); ++i) {
      const int trues = (pairs.left[i] != 0 ? 1 : 0) + (pairs.right[i] != 0 ? 1 : 0);
      expected.push_back(both ? trues == 2 : odd ? trues == 1 : trues >= 1);
    }
    ASSERT_NO_FATAL_FAILURE(expect_results(builtin, Element::boolean, pairs, expected));
  }
}

// --- numbers of 16 bits with a fraction ---

struct Format {
  Element element;
  int fraction_bits, bias;
  [[nodiscard]] unsigned infinity() const { return 0x7fffU >> fraction_bits << fraction_bits; }
};
constexpr Format formats[] = {{Element::float16, 10, 15}, {Element::bfloat16, 7, 127}};

double value_of(const Format& format, unsigned bits) {
  const unsigned magnitude = bits & 0x7fffU, sign = bits >> 15;
  const unsigned exponent = magnitude >> format.fraction_bits;
  const unsigned fraction = magnitude & ((1U << format.fraction_bits) - 1);
  double value =
      std::ldexp(exponent == 0 ? fraction : fraction + (1U << format.fraction_bits),
                 static_cast<int>(std::max(exponent, 1U)) - format.bias - format.fraction_bits);
  if (magnitude == format.infinity()) value = std::numeric_limits<double>::infinity();
  if (magnitude > format.infinity()) value = std::numeric_limits<double>::quiet_NaN();
  return sign != 0 ? -value : value;
}

// Finds the nearest number among all finite ones and infinity, which stands where the next number
// would be. If two are equally near, it takes the one whose last bit is 0.
class Rounding {
 public:
  explicit Rounding(const Format& format) : format_(format) {
    for (unsigned bits = 0; bits < format.infinity(); ++bits)
      values_.push_back(value_of(format, bits));
    values_.push_back(2 * values_.back() - values_[values_.size() - 2]);
  }
  [[nodiscard]] std::uint16_t operator()(double x) const {
    if (std::isnan(x)) return 0x7fff;
    const double magnitude = std::abs(x);
    auto above = std::lower_bound(values_.begin(), values_.end(), magnitude);
    if (above == values_.end()) --above;
    auto bits = static_cast<unsigned>(above - values_.begin());
    if (bits > 0) {
      const double up = values_[bits] - magnitude, down = magnitude - values_[bits - 1];
      if (down < up || (down == up && bits % 2 == 1)) --bits;
    }
    return static_cast<std::uint16_t>(bits | (std::signbit(x) ? 0x8000U : 0U));
  }

 private:
  Format format_;
  std::vector<double> values_;
};

// Returns true if the first operand of max, min, absmax or absmin is the result.
bool first_wins(Builtin builtin, double a, double b) {
  const double x = std::abs(a), y = std::abs(b);
  if (std::isnan(a)) return true;
  if (std::isnan(b)) return false;
  if (builtin == Builtin::max) return a >= b;
  if (builtin == Builtin::min) return a <= b;
  if (x == y) return a >= b;
  return (builtin == Builtin::absmax) == (x > y);
}

// Sums and products of two numbers of these types are exact in double, and what float32 makes of
// them is rounded once more.
std::uint16_t expected_of(const Format& format, const Rounding& rounded, Builtin builtin,
                          unsigned left, unsigned right) {
  const double a = value_of(format, left), b = value_of(format, right);
  if (builtin == Builtin::sum) return rounded(static_cast<float>(a + b));
  if (builtin == Builtin::product) return rounded(static_cast<float>(a * b));
  return static_cast<std::uint16_t>(first_wins(builtin, a, b) ? left : right);
}

// Every NaN is as good as every other.
void make_nans_equal(const Format& format, std::vector<std::uint16_t>& numbers) {
  for (std::uint16_t& bits : numbers)
    if ((bits & 0x7fffU) > format.infinity()) bits = 0x7fff;
}

void check_format(const Format& format) {
  const Rounding rounded(format);
  const unsigned infinity = format.infinity(), smallest_normal = 1U << format.fraction_bits;
  std::vector<std::uint16_t> left, right;
  for (unsigned a = 0; a < 65536; ++a) {
    for (const unsigned b :
         {0U, 1U, smallest_normal - 1, smallest_normal, rounded(1.0) + 0U, rounded(1.0) + 1U,
          rounded(3.0) + 0U, infinity - 1, infinity, infinity + 1, 0x8000U | rounded(1.5), 0x8001U,
          0x8000U | infinity, 0x8000U}) {
      left.push_back(static_cast<std::uint16_t>(a));
      right.push_back(static_cast<std::uint16_t>(b));
    }
  }
  for (const Builtin builtin : {Builtin::sum, Builtin::product, Builtin::max, Builtin::min,
                                Builtin::absmax, Builtin::absmin}) {
    std::vector<std::uint16_t> expected, result(left.size());
    for (std::size_t i = 0; i < left.size(); ++i)
      expected.push_back(expected_of(format, rounded, builtin, left[i], right[i]));
    make_nans_equal(format, expected);
    for (int version = 0; version < 2; ++version) {
      kernels(builtin, format.element, version)(result.data(), left.data(), right.data(),
                                                static_cast<std::int64_t>(left.size()), nullptr);
      make_nans_equal(format, result);
      const auto differs = std::mismatch(result.begin(), result.end(), expected.begin()).first;
      if (differs == result.end()) continue;
      const auto i = static_cast<std::size_t>(differs - result.begin());
      FAIL() << name_of(builtin) << " of " << name_of(format.element) << " version " << version
             << ": " << left[i] << " and " << right[i] << " give " << result[i] << ", not "
             << expected[i];
    }
  }
}

#if defined(__x86_64__)
// The integer arithmetic of the table is the reference. Its results are compared bit by bit, also
// those that are no numbers: all numbers with all of a few, at lengths that fill no register.
TEST(SmallTypes, ConversionsOfTheProcessorGiveTheSameBits) {
  std::vector<std::uint16_t> left, right;
  for (unsigned a = 0; a < 65536; ++a) {
    for (const unsigned b :
         {0U, 1U, 0x3ffU, 0x400U, 0x3c00U, 0x3c01U, 0x7bffU, 0x7c00U, 0x7c01U, 0x7e01U, 0x8000U,
          0x8001U, 0xbe00U, 0xfbffU, 0xfc00U, 0xfe00U, 0xffffU}) {
      left.push_back(static_cast<std::uint16_t>(a));
      right.push_back(static_cast<std::uint16_t>(b));
    }
  }
  const HalfKernels* versions[] = {runs_f16c() ? &kernels_f16c() : nullptr,
                                   runs_avx512() ? &kernels_avx512() : nullptr};
  for (int b = 0; b < builtin_kinds; ++b) {
    const CombineFn reference = kernels_baseline().combine[b][static_cast<int>(Element::float16)];
    for (const HalfKernels* version : versions) {
      if (version == nullptr) continue;
      const CombineFn function = version->combine[b][0];
      ASSERT_EQ(function == nullptr, reference == nullptr) << b;
      if (function == nullptr) continue;
      for (const std::size_t count :
           {left.size(), std::size_t{1}, std::size_t{15}, std::size_t{39}}) {
        const auto numbers = static_cast<std::int64_t>(count);
        std::vector<std::uint16_t> expected(count + 1, 0xabcd), result(count + 1, 0xabcd);
        reference(expected.data(), left.data(), right.data(), numbers, nullptr);
        function(result.data(), left.data(), right.data(), numbers, nullptr);
        EXPECT_TRUE(result == expected) << name_of(static_cast<Builtin>(b)) << ", " << count;
      }
    }
  }
}
#endif

TEST(SmallTypes, Float16) {
  check_format(formats[0]);
}

TEST(SmallTypes, BFloat16) {
  check_format(formats[1]);
}

}  // namespace
}  // namespace tutti::data::test
