// SPDX-License-Identifier: BSD-3-Clause
// Which memory the next letter of a middle length gets.
#include "transport/shm/letter_circle.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace tutti::transport::shm {
namespace {

class Circle : public testing::Test {
 protected:
  // As one letter in flight has it.
  LetterBlock take(LetterCircle& of, std::uint64_t bytes) {
    const LetterBlock block = of.take(bytes);
    if (block.offset != 0) header(block).readers.store(1);
    return block;
  }
  LetterBlock take(std::uint64_t bytes) { return take(circle, bytes); }
  // Different places that so many letters got, each read before the next one.
  std::set<std::uint64_t> places_of(LetterCircle& of, std::uint64_t bytes, int count) {
    std::set<std::uint64_t> offsets;
    for (int i = 0; i < count; ++i) {
      const LetterBlock block = take(of, bytes);
      offsets.insert(block.offset);
      if (block.offset != 0) of.give_back(block);
    }
    return offsets;
  }
  [[nodiscard]] LetterHeader& header(const LetterBlock& block) const {
    return *mapping.at<LetterHeader>(block.offset);
  }
  [[nodiscard]] std::int64_t reserved() const { return mapping.header().reserved_bytes.load(); }

  static constexpr std::uint64_t middle = 60'000, long_one = 300'000;
  const Mapping mapping = Mapping::create({.limit_bytes = std::int64_t{48} << 20});
  const std::int64_t at_first = reserved();
  const std::uint64_t size = mapping.header().arena_bytes / 4 * 3;
  LetterCircle circle{mapping, 0};
};

TEST_F(Circle, SuitsLettersThatLeaveTheFirstCacheAndNotTheSecond) {
  EXPECT_FALSE(LetterCircle::suits(16 * 1024 - sizeof(LetterHeader)));
  EXPECT_TRUE(LetterCircle::suits(16 * 1024));
  EXPECT_TRUE(LetterCircle::suits(500'000));
  EXPECT_FALSE(LetterCircle::suits(512 * 1024));
}

TEST_F(Circle, IsMadeForTheFirstLetter) {
  EXPECT_FALSE(circle.exists());
  EXPECT_EQ(reserved(), at_first);
  EXPECT_NE(circle.take(middle).offset, 0U);
  EXPECT_EQ(reserved() - at_first, size);
}

TEST_F(Circle, LettersFollowEachOther) {
  const std::size_t all = size / (middle + 2 * line_bytes);
  EXPECT_GE(places_of(circle, middle, 1000).size(), all)
      << "also with what is left at the end of each turn";
  EXPECT_EQ(places_of(circle, middle, static_cast<int>(all)).size(), all)
      << "the one that has rested longest is next";
  EXPECT_EQ(reserved() - at_first, size);
}

TEST_F(Circle, PassesOverWhatIsStillToBeRead) {
  const LetterBlock unread = take(middle);
  std::set<std::uint64_t> offsets;
  for (int i = 0; i < 1000; ++i) {
    const LetterBlock block = take(middle);
    ASSERT_NE(block.offset, 0U) << i;
    const bool behind = block.offset >= unread.offset + sizeof(LetterHeader) + middle;
    ASSERT_TRUE(behind || block.offset + sizeof(LetterHeader) + middle <= unread.offset) << i;
    offsets.insert(block.offset);
    circle.give_back(block);
  }
  EXPECT_GT(offsets.size(), size / (middle + 2 * line_bytes) / 2);
  circle.give_back(unread);
}

TEST_F(Circle, IsFullWhenAllOfItIsUnread) {
  std::vector<LetterBlock> out;
  for (LetterBlock block = take(long_one); block.offset != 0; block = take(long_one))
    out.push_back(block);
  EXPECT_GE(out.size(), size / (long_one + 2 * line_bytes) - 1);
  EXPECT_NE(take(16 * 1024).offset, 0U) << "what is left at the end serves a shorter one";
  circle.give_back(out[1]);
  EXPECT_EQ(take(long_one).offset, out[1].offset);
}

// Letters of all lengths, read in any order: no two share memory, and all lie within the circle.
TEST_F(Circle, LettersNeverOverlap) {
  std::mt19937 random(7);
  std::vector<LetterBlock> out;
  for (int i = 0; i < 20'000; ++i) {
    if (out.size() > random() % 12) {
      const auto read = out.begin() + static_cast<std::ptrdiff_t>(random() % out.size());
      circle.give_back(*read);
      out.erase(read);
      continue;
    }
    const LetterBlock block = take(16'384 + random() % 200'000);
    if (block.offset == 0) continue;
    const auto end = [](const LetterBlock& of) {
      return of.offset + sizeof(LetterHeader) + of.bytes;
    };
    for (const LetterBlock& other : out)
      ASSERT_TRUE(end(block) <= other.offset || end(other) <= block.offset) << i;
    ASSERT_LE(end(block), mapping.endpoint(0).letter_circle.load() + size);
    ASSERT_EQ(header(block).in_circle, 1U);
    out.push_back(block);
  }
}

TEST_F(Circle, GivesUpItsMemoryWhenNothingIsUnread) {
  const LetterBlock unread = take(middle);
  circle.release();
  EXPECT_TRUE(circle.exists());
  circle.give_back(unread);
  circle.release();
  EXPECT_FALSE(circle.exists());
  EXPECT_EQ(reserved(), at_first);
  EXPECT_EQ(take(middle).offset, 0U) << "who asks for memory back wants to use it";
  EXPECT_GT(places_of(circle, middle, 1000).size(), 2U);
  EXPECT_TRUE(circle.exists());
}

TEST_F(Circle, DoesWithoutAtTheLimit) {
  Heap heap(mapping);
  std::vector<std::uint64_t> taken;
  while (const auto block = heap.allocate(std::size_t{1} << 20)) taken.push_back(*block);
  EXPECT_EQ(places_of(circle, middle, 1000).size(), 1U) << "offset 0 each time";
  for (const std::uint64_t block : taken) heap.free(block, std::size_t{1} << 20);
  EXPECT_GT(places_of(circle, middle, 1000).size(), 2U) << "after a while it is tried again";
}

TEST_F(Circle, OfTheKilledGoesToTheNextInTheSlot) {
  const LetterBlock unread = take(middle), orphan = take(middle);
  header(orphan).readers.store(LetterHeader::orphan | 1);
  LetterCircle next(mapping, 0);  // as after the death of a process that has not released it
  EXPECT_TRUE(next.exists());
  const std::set<std::uint64_t> offsets = places_of(next, middle, 1000);
  EXPECT_FALSE(offsets.contains(unread.offset));
  EXPECT_FALSE(offsets.contains(orphan.offset));
  next.release();
  EXPECT_TRUE(next.exists()) << "somebody reads in it";
  let_go_of_letter(mapping, unread.offset);
  let_go_of_letter(mapping, orphan.offset);
  next.release();
  EXPECT_FALSE(next.exists());
  EXPECT_EQ(reserved(), at_first);
}

}  // namespace
}  // namespace tutti::transport::shm
