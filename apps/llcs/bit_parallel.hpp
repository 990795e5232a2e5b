// SPDX-License-Identifier: BSD-3-Clause
// The bit-parallel computation of a block of the table (Crochemore et al.; Krusche's figure 5.7).
// The program and the search for a subsequence use it.
//
// Neighbouring values of a column of the table differ by 0 or 1. A block keeps the complements of
// these differences as bits, 64 of them in a word: the words of R are the column of the block's
// left border and become that of its right border. A character of x that is added to the column
// may carry a bit out of its lowest word. The carries of all characters of x are the border B
// between this block and the next one below.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace llcs {

// Number of words that hold one bit for each of `characters`.
constexpr std::size_t words_of(std::size_t characters) {
  return (characters + 63) / 64;
}

// Computes blocks. Codes are the numbers of characters, from 0 to alphabet - 1.
template <class Code>
class BitKernel {
 public:
  virtual ~BitKernel() = default;
  // Computes the block of x and y. `right` has words_of(y.size()) words; `carries` has a 0 or 1 for
  // each character of x. At the left border of the table all bits of R are 1, and at its upper
  // border all carries are 0.
  virtual void run(std::span<const Code> x, std::span<const Code> y, std::uint64_t* right,
                   std::uint8_t* carries) = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  // Characters of x and of y from which on a block is computed at nearly full speed.
  [[nodiscard]] virtual std::size_t full_speed() const = 0;
};

// Returns the kernel that adds 64-bit words with carry. It serves any alphabet.
template <class Code>
std::unique_ptr<BitKernel<Code>> word_kernel(std::size_t alphabet);

// Returns the kernel that keeps many words in vector registers, or nullptr if this processor or
// this alphabet, of more than 16 letters, has none. `lanes` is 8 for AVX-512, 4 for AVX2, or 0 for
// the widest.
std::unique_ptr<BitKernel<std::uint8_t>> vector_kernel(std::size_t alphabet, int lanes = 0);

// Number of bits that are 0 among the first `characters` bits: the length of the subsequence that
// the column stands for.
std::uint64_t zeros(std::span<const std::uint64_t> right, std::size_t characters);

}  // namespace llcs
