// SPDX-License-Identifier: BSD-3-Clause
// Tests which parts of a ring are lent, against a list of the parts that are out.
#include "transport/shm/next_fit.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace tutti::transport::shm {
namespace {

using Node = NextFit::Node;

TEST(NextFit, PartsFollowEachOther) {
  NextFit ring(100);
  std::vector<Node> parts;
  for (std::uint64_t i = 0; i < 10; ++i) {
    parts.push_back(ring.take(10));
    ASSERT_NE(parts.back(), 0U);
    EXPECT_EQ(ring.begin(parts.back()), 10 * i);
    EXPECT_EQ(ring.cursor(), 10 * i + 10);
  }
  EXPECT_EQ(ring.take(1), 0U);
}

TEST(NextFit, WhatHasRestedLongestIsNext) {
  NextFit ring(100);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Node part = ring.take(10);
    EXPECT_EQ(ring.begin(part), 10 * i % 100);
    ring.free(part);
  }
}

TEST(NextFit, PassesOverWhatIsStillLent) {
  NextFit ring(100);
  const Node first = ring.take(10), kept = ring.take(10);
  ring.free(first);
  for (int i = 0; i < 100; ++i) {
    const Node part = ring.take(30);
    ASSERT_NE(part, 0U) << i;
    EXPECT_GE(ring.begin(part), 20U);
    ring.free(part);
  }
  ring.free(kept);
  EXPECT_TRUE(ring.empty());
}

TEST(NextFit, TakesTurnsInAWindow) {
  NextFit ring(100);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Node part = ring.take(10, 40);
    EXPECT_EQ(ring.begin(part), 10 * i % 40);
    ring.free(part);
  }
  EXPECT_EQ(ring.begin(ring.take(30, 100)), 40U);
  EXPECT_EQ(ring.begin(ring.take(20, 40)), 0U) << "what is lent behind the window is passed over";
  EXPECT_EQ(ring.begin(ring.take(20, 40)), 20U);
  EXPECT_EQ(ring.take(1, 40), 0U) << "all of the window is lent";
}

TEST(NextFit, BeginsAnew) {
  NextFit ring(100);
  ring.free(ring.take(10));
  ring.begin_anew();
  EXPECT_EQ(ring.begin(ring.take(10)), 0U);
}

TEST(NextFit, PartsThatWereLentBeforeAreKept) {
  NextFit ring(100);
  ring.keep(50, 60);
  const Node early = ring.keep(10, 20);
  EXPECT_EQ(ring.begin(ring.take(10)), 0U);
  EXPECT_EQ(ring.begin(ring.take(30)), 20U);
  EXPECT_EQ(ring.begin(ring.take(30)), 60U);
  EXPECT_EQ(ring.take(20), 0U);
  ring.free(early);
  EXPECT_EQ(ring.begin(ring.take(10)), 90U);
  EXPECT_EQ(ring.begin(ring.take(10)), 10U);
}

// Parts of all lengths come back in any order. No two may share a byte, all lie within the ring,
// and a ring that is refused has too many parts, or no gap that is long enough among the next ones.
TEST(NextFit, PartsNeverOverlap) {
  constexpr std::uint64_t bytes = 10'000;
  std::mt19937 random(7);
  for (const unsigned most : {1U, 3U, 12U, 100U}) {
    NextFit ring(bytes);
    std::map<std::uint64_t, std::pair<std::uint64_t, Node>> out;  // ends and nodes by begin
    for (int i = 0; i < 20'000; ++i) {
      if (out.size() > random() % most) {
        const auto part = std::next(out.begin(), static_cast<long>(random() % out.size()));
        ring.free(part->second.second);
        out.erase(part);
        continue;
      }
      const std::uint64_t wanted = 1 + random() % 3000;
      const Node node = ring.take(wanted);
      if (out.empty()) {
        ASSERT_NE(node, 0U);
      }
      if (node == 0) continue;
      const std::uint64_t begin = ring.begin(node), end = begin + wanted;
      ASSERT_LE(end, bytes);
      const auto behind = out.lower_bound(begin);
      ASSERT_TRUE(behind == out.end() || end <= behind->first) << i;
      ASSERT_TRUE(behind == out.begin() || std::prev(behind)->second.first <= begin) << i;
      out.emplace(begin, std::pair{end, node});
    }
    for (const auto& [begin, part] : out) ring.free(part.second);
    EXPECT_TRUE(ring.empty());
    EXPECT_NE(ring.take(bytes / 2), 0U);
  }
}

}  // namespace
}  // namespace tutti::transport::shm
