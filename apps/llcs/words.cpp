// SPDX-License-Identifier: BSD-3-Clause
// The kernel of 64-bit words (bit_parallel.hpp). It goes along x with four words of the column in
// registers, so that each character costs four additions with carry and few accesses of memory.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "bit_parallel.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace llcs {
namespace {

// Words of the column that are computed together.
constexpr std::size_t strip_words = 4;
using Strip = std::array<std::uint64_t, strip_words>;

// Returns a + b + carry, and leaves the carry of this sum.
inline std::uint64_t add_with_carry(std::uint64_t a, std::uint64_t b, unsigned char& carry) {
#ifdef __x86_64__
  unsigned long long sum = 0;
  carry = _addcarry_u64(carry, a, b, &sum);
  return sum;
#else
  std::uint64_t sum = 0;
  const bool first = __builtin_add_overflow(a, b, &sum);
  const bool second = __builtin_add_overflow(sum, carry, &sum);
  carry = first || second ? 1 : 0;
  return sum;
#endif
}

template <class Code>
class Words final : public BitKernel<Code> {
 public:
  explicit Words(std::size_t alphabet) : rows_(alphabet) {}

  void run(std::span<const Code> x, std::span<const Code> y, std::uint64_t* right,
           std::uint8_t* carries) override {
    constexpr std::size_t height = 64 * strip_words;
    for (std::size_t top = 0; top < y.size(); top += height) {
      const std::span<const Code> part = y.subspan(top, std::min(height, y.size() - top));
      match(part);
      run_strip(x, words_of(part.size()), right + top / 64, carries);
      for (const Code code : part) rows_[code] = 0;
    }
  }
  [[nodiscard]] std::string name() const override { return "64-bit words"; }
  [[nodiscard]] std::size_t full_speed() const override { return 2048; }

 private:
  // Makes the mapping M: a row of bits for each character that occurs in this part of y. Row 0, of
  // zeros, is that of all other characters.
  void match(std::span<const Code> part) {
    matches_.assign(1, Strip{});
    for (std::size_t j = 0; j < part.size(); ++j) {
      std::uint32_t& row = rows_[part[j]];
      if (row == 0) {
        row = static_cast<std::uint32_t>(matches_.size());
        matches_.emplace_back();
      }
      matches_[row][j / 64] |= std::uint64_t{1} << (j % 64);
    }
  }

  void run_strip(std::span<const Code> x, std::size_t words, std::uint64_t* right,
                 std::uint8_t* carries) const {
    // Words of ones without matches carry on what comes in, so that a short strip needs no code of
    // its own.
    Strip strip;
    strip.fill(std::numeric_limits<std::uint64_t>::max());
    std::copy_n(right, words, strip.begin());
    const Strip* const matches = matches_.data();
    const std::uint32_t* const rows = rows_.data();
    static_assert(strip_words == 4);
    auto [r0, r1, r2, r3] = strip;  // variables, because the compiler leaves an array in memory
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Strip& m = matches[rows[x[k]]];
      unsigned char carry = carries[k];
      const std::uint64_t s0 = add_with_carry(r0, r0 & m[0], carry);
      const std::uint64_t s1 = add_with_carry(r1, r1 & m[1], carry);
      const std::uint64_t s2 = add_with_carry(r2, r2 & m[2], carry);
      const std::uint64_t s3 = add_with_carry(r3, r3 & m[3], carry);
      r0 = s0 | (r0 & ~m[0]);
      r1 = s1 | (r1 & ~m[1]);
      r2 = s2 | (r2 & ~m[2]);
      r3 = s3 | (r3 & ~m[3]);
      carries[k] = carry;
    }
    strip = {r0, r1, r2, r3};
    std::copy_n(strip.begin(), words, right);
  }

  std::vector<std::uint32_t> rows_;  // by code; 0 for a character that does not occur
  std::vector<Strip> matches_;
};

}  // namespace

template <class Code>
std::unique_ptr<BitKernel<Code>> word_kernel(std::size_t alphabet) {
  return std::make_unique<Words<Code>>(alphabet);
}
template std::unique_ptr<BitKernel<std::uint8_t>> word_kernel(std::size_t alphabet);
template std::unique_ptr<BitKernel<std::uint32_t>> word_kernel(std::size_t alphabet);

std::uint64_t zeros(std::span<const std::uint64_t> right, std::size_t characters) {
  std::uint64_t ones = 0;
  for (std::size_t w = 0; 64 * w < characters; ++w) {
    const std::size_t bits = std::min<std::size_t>(64, characters - 64 * w);
    const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max() >> (64 - bits);
    ones += static_cast<std::uint64_t>(std::popcount(right[w] & mask));
  }
  return characters - ones;
}

}  // namespace llcs
