// SPDX-License-Identifier: BSD-3-Clause
// Tests every way in which a copy is made, at every offset within a page that decides between them.
#include "base/copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tutti::base {
namespace {

constexpr std::size_t page = 4096, most = 3 * page, guard = 64;

struct CopyAt : testing::TestWithParam<int> {
  CopyAt() : from(2 * page + most), to(2 * page + most + guard) {
    for (std::size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<unsigned char>(i * 31 + i / 251);
  }
  static unsigned char* at_page(std::vector<unsigned char>& memory) {
    const auto misplaced = reinterpret_cast<std::uintptr_t>(memory.data()) % page;
    return memory.data() + (page - misplaced) % page;
  }
  std::vector<unsigned char> from, to;
};

TEST_P(CopyAt, movesAllBytesAndNoOthers) {
  const unsigned char* source = at_page(from);
  unsigned char* target = at_page(to) + GetParam();
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{2047}, std::size_t{2048},
        std::size_t{2049}, page - 1, page, page + 1, most - page - 3}) {
    std::fill(to.begin(), to.end(), 0xee);
    copy_bytes(target, source, bytes);
    EXPECT_TRUE(std::equal(source, source + bytes, target)) << bytes;
    EXPECT_TRUE(std::all_of(to.data(), target, [](unsigned char x) { return x == 0xee; })) << bytes;
    EXPECT_TRUE(std::all_of(target + bytes, to.data() + to.size(), [](unsigned char x) {
      return x == 0xee;
    })) << bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(offsets, CopyAt,
                         testing::Values(0, 1, 2, 15, 16, 17, 30, 31, 32, 33, 64, 2048, 4064,
                                         4095));

// Whole groups of pages, and what is left, go different ways where the processor can.
TEST(Copy, ofArrivedDataMovesAllBytesAndNoOthers) {
  for (const std::int64_t pages : {0, 1}) {
    Tuning tuning;
    tuning.copy_pages = pages;
    set_copy_rules(tuning);
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, page, 4 * page - 1, 4 * page,
                                    4 * page + 1, 9 * page + 77}) {
      for (const std::size_t shift : {std::size_t{0}, std::size_t{8}, std::size_t{33}}) {
        std::vector<unsigned char> from(bytes), to(bytes + 2 * guard, 0xee);
        for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<unsigned char>(i * 31 + 7);
        copy_arrived(to.data() + shift, from.data(), bytes);
        EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin() + static_cast<long>(shift)));
        EXPECT_EQ(std::count(to.begin(), to.begin() + static_cast<long>(shift), 0xee),
                  static_cast<long>(shift));
        EXPECT_TRUE(std::all_of(to.begin() + static_cast<long>(shift + bytes), to.end(),
                                [](unsigned char x) { return x == 0xee; }));
      }
    }
  }
  set_copy_rules({});
}

TEST(Copy, ofNothingTakesAnyAddress) {
  copy_bytes(nullptr, nullptr, 0);
}

}  // namespace
}  // namespace tutti::base
