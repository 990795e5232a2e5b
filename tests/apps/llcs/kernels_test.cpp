// SPDX-License-Identifier: BSD-3-Clause
// Compares all ways to compute the table with a table that is filled entry by entry.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "bit_parallel.hpp"
#include "methods.hpp"
#include "subsequence.hpp"

namespace llcs {
namespace {

template <class Code>
struct Pair {
  std::vector<Code> x, y;
  std::size_t alphabet;
};

template <class Code>
std::size_t expected_length(const Pair<Code>& pair) {
  std::vector<std::size_t> row(pair.x.size() + 1), before;
  for (const Code c : pair.y) {
    before = row;
    for (std::size_t k = 1; k < row.size(); ++k)
      row[k] = pair.x[k - 1] == c ? before[k - 1] + 1 : std::max(before[k], row[k - 1]);
  }
  return row.back();
}

template <class Code>
std::vector<Pair<Code>> pairs(const std::vector<std::size_t>& alphabets) {
  std::mt19937 random(17);
  const auto below = [&random](std::size_t end) { return random() % end; };
  const std::vector<std::size_t> lengths{0, 1, 63, 64, 65, 127, 511, 512, 513};
  std::vector<Pair<Code>> all;
  const auto add = [&](std::size_t m, std::size_t n, std::size_t alphabet, const auto& of_x,
                       const auto& of_y) {
    Pair<Code> pair{std::vector<Code>(m), std::vector<Code>(n), alphabet};
    for (std::size_t i = 0; i < m; ++i) pair.x[i] = static_cast<Code>(of_x(i));
    for (std::size_t i = 0; i < n; ++i) pair.y[i] = static_cast<Code>(of_y(i));
    all.push_back(std::move(pair));
  };
  for (const std::size_t alphabet : alphabets) {
    const auto any = [&](std::size_t) { return below(alphabet); };
    for (const std::size_t m : lengths) add(m, lengths[below(lengths.size())], alphabet, any, any);
    for (int i = 0; i < 8; ++i) add(below(900), below(2500), alphabet, any, any);
    const auto periodic = [&](std::size_t i) { return i % std::min<std::size_t>(alphabet, 3); };
    add(700, 650, alphabet, periodic, periodic);  // equal, but for the length
    add(300, 2100, alphabet, periodic, any);
    const auto zero = [](std::size_t) { return 0; };
    add(130, 2049, alphabet, zero, [&](std::size_t) { return alphabet - 1; });  // nothing in common
  }
  return all;
}

// Computes the table in blocks, as one process with this many columns and rows of blocks would.
template <class Method>
std::uint64_t in_blocks(const Pair<typename Method::Code>& pair, int blocks, Method& method) {
  const Parts x = cut(pair.x.size(), blocks, 1), y = cut(pair.y.size(), blocks, Method::unit);
  for (int row = 0; row < blocks; ++row) {
    std::vector<typename Method::Border> right(Method::border(y.length));
    Method::begin(right);
    for (int column = 0; column < blocks; ++column)
      method.block(column, {pair.x.data() + x.begin(column), x.size(column)},
                   {pair.y.data() + y.begin(row), y.size(row)}, right.data());
    method.at_right_border(right.data(), y.size(row));
  }
  return method.length();
}
template <class Code>
Grid grid_of(const Pair<Code>& pair, int blocks, std::size_t unit) {
  return {1, blocks, cut(pair.x.size(), blocks, 1), cut(pair.y.size(), blocks, unit)};
}

template <class Code>
void expect_length(const Pair<Code>& pair, BitKernel<Code>& kernel) {
  for (const int blocks : {1, 2, 3, 7, 40}) {
    BitParallel<Code> method(grid_of(pair, blocks, BitParallel<Code>::unit), kernel);
    EXPECT_EQ(in_blocks(pair, blocks, method), expected_length(pair))
        << kernel.name() << ", " << pair.x.size() << " and " << pair.y.size() << " characters of "
        << pair.alphabet << ", " << blocks << " blocks";
  }
}

TEST(Llcs, WordsComputeTheTable) {
  for (const auto& pair : pairs<std::uint8_t>({1, 2, 3, 4, 5, 8, 16, 17, 256}))
    expect_length(pair, *word_kernel<std::uint8_t>(pair.alphabet));
  for (const auto& pair : pairs<std::uint32_t>({2, 300, 70000}))
    expect_length(pair, *word_kernel<std::uint32_t>(pair.alphabet));
}

TEST(Llcs, VectorsComputeTheTable) {
  for (const int lanes : {4, 8}) {
    if (vector_kernel(2, lanes) == nullptr) {
      std::cout << "not tried: this processor has no vectors of " << lanes << " words\n";
      continue;
    }
    for (const auto& pair : pairs<std::uint8_t>({1, 2, 3, 4, 5, 8, 9, 16}))
      expect_length(pair, *vector_kernel(pair.alphabet, lanes));
  }
}

TEST(Llcs, VectorsServeSixteenCharacters) {
  EXPECT_EQ(vector_kernel(17), nullptr);
}

TEST(Llcs, StandardAlgorithmComputesTheTable) {
  for (const auto& pair : pairs<std::uint8_t>({1, 2, 8, 256})) {
    for (const int blocks : {1, 2, 3, 7, 40}) {
      Standard<std::uint8_t> method(grid_of(pair, blocks, 1));
      EXPECT_EQ(in_blocks(pair, blocks, method), expected_length(pair));
    }
  }
}

template <class Code>
bool is_subsequence(const std::vector<Code>& part, const std::vector<Code>& whole) {
  auto at = whole.begin();
  for (const Code c : part) {
    at = std::find(at, whole.end(), c);
    if (at == whole.end()) return false;
    ++at;
  }
  return true;
}

TEST(Llcs, FindsALongestSubsequence) {
  for (const auto& pair : pairs<std::uint8_t>({1, 2, 4, 26})) {
    const auto kernel = word_kernel<std::uint8_t>(pair.alphabet);
    double done = 0;
    const auto found = longest_subsequence<std::uint8_t>(pair.x, pair.y, *kernel, [&](double part) {
      EXPECT_GE(part, done);
      done = part;
    });
    EXPECT_LE(done, 1);
    EXPECT_EQ(found.size(), expected_length(pair));
    EXPECT_TRUE(is_subsequence(found, pair.x) && is_subsequence(found, pair.y));
  }
}

TEST(Llcs, PartsCoverTheStringOnce) {
  for (const std::size_t characters : {0, 1, 63, 64, 65, 1000}) {
    for (int count = 1; count <= 20; ++count) {
      for (const std::size_t unit : {1, 64}) {
        const Parts parts = cut(characters, count, unit);
        std::size_t end = 0;
        for (int part = 0; part < count; ++part) {
          EXPECT_EQ(parts.begin(part), end);
          EXPECT_TRUE(end % unit == 0 || end == characters);
          end += parts.size(part);
        }
        EXPECT_EQ(end, characters);
      }
    }
  }
}

}  // namespace
}  // namespace llcs
