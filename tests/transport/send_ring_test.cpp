// SPDX-License-Identifier: BSD-3-Clause
// Tests which memory the next buffer of middle length gets.
#include "transport/shm/send_ring.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace tutti::transport::shm {
namespace {

class SendRingTest : public testing::Test {
 protected:
  // Takes memory like a buffer in flight.
  BufferBlock take(SendRing& of, std::uint64_t bytes) {
    const BufferBlock block = of.take(bytes);
    if (block.offset != 0) header(block).readers.publish(1);
    return block;
  }
  BufferBlock take(std::uint64_t bytes) { return take(ring, bytes); }
  // Returns the different places that so many buffers got. Each was read before the next one was
  // sent.
  std::set<std::uint64_t> places_of(SendRing& of, std::uint64_t bytes, int count) {
    std::set<std::uint64_t> offsets;
    for (int i = 0; i < count; ++i) {
      const BufferBlock block = take(of, bytes);
      offsets.insert(block.offset);
      if (block.offset != 0) of.give_back(block);
    }
    return offsets;
  }
  [[nodiscard]] BufferHeader& header(const BufferBlock& block) const {
    return *mapping.at<BufferHeader>(block.offset);
  }
  [[nodiscard]] std::int64_t reserved() const { return mapping.header().reserved_bytes.see(); }

  static constexpr std::uint64_t middle = 60'000, long_one = 300'000;
  const Mapping mapping = Mapping::create({.limit_bytes = std::int64_t{48} << 20});
  const std::int64_t at_first = reserved();
  const std::uint64_t size = send_ring_bytes(mapping.header());
  SendRing ring{mapping, 0};
};

TEST_F(SendRingTest, SuitsBuffersThatLeaveTheFirstCacheAndNotTheSecond) {
  EXPECT_FALSE(ring.suits(16 * 1024 - sizeof(BufferHeader)));
  EXPECT_TRUE(ring.suits(16 * 1024));
  EXPECT_TRUE(ring.suits(500'000));
  EXPECT_FALSE(ring.suits(512 * 1024));
}

TEST_F(SendRingTest, IsMadeForTheFirstBuffer) {
  EXPECT_FALSE(ring.exists());
  EXPECT_EQ(reserved(), at_first);
  EXPECT_NE(ring.take(middle).offset, 0U);
  EXPECT_EQ(reserved() - at_first, size);
}

TEST_F(SendRingTest, BuffersFollowEachOther) {
  const std::size_t all = size / (middle + 2 * line_bytes);
  EXPECT_GE(places_of(ring, middle, 1000).size(), all)
      << "also with what is left at the end of each turn";
  EXPECT_EQ(places_of(ring, middle, static_cast<int>(all)).size(), all)
      << "the one that has rested longest is next";
  EXPECT_EQ(reserved() - at_first, size);
}

TEST_F(SendRingTest, PassesOverWhatIsStillToBeRead) {
  const BufferBlock unread = take(middle);
  std::set<std::uint64_t> offsets;
  for (int i = 0; i < 1000; ++i) {
    const BufferBlock block = take(middle);
    ASSERT_NE(block.offset, 0U) << i;
    const bool behind = block.offset >= unread.offset + sizeof(BufferHeader) + middle;
    ASSERT_TRUE(behind || block.offset + sizeof(BufferHeader) + middle <= unread.offset) << i;
    offsets.insert(block.offset);
    ring.give_back(block);
  }
  EXPECT_GT(offsets.size(), size / (middle + 2 * line_bytes) / 2);
  ring.give_back(unread);
}

TEST_F(SendRingTest, IsFullWhenAllOfItIsUnread) {
  std::vector<BufferBlock> out;
  for (BufferBlock block = take(long_one); block.offset != 0; block = take(long_one))
    out.push_back(block);
  EXPECT_GE(out.size(), size / (long_one + 2 * line_bytes) - 1);
  EXPECT_NE(take(16 * 1024).offset, 0U) << "what is left at the end serves a shorter one";
  ring.give_back(out[1]);
  EXPECT_EQ(take(long_one).offset, out[1].offset);
}

// Buffers of all lengths are read in any order. No two may share memory, and all must lie within
// the ring.
TEST_F(SendRingTest, BuffersNeverOverlap) {
  std::mt19937 random(7);
  std::vector<BufferBlock> out;
  for (int i = 0; i < 20'000; ++i) {
    if (out.size() > random() % 12) {
      const auto read = out.begin() + static_cast<std::ptrdiff_t>(random() % out.size());
      ring.give_back(*read);
      out.erase(read);
      continue;
    }
    const BufferBlock block = take(16'384 + random() % 200'000);
    if (block.offset == 0) continue;
    const auto end = [](const BufferBlock& of) {
      return of.offset + sizeof(BufferHeader) + of.bytes;
    };
    for (const BufferBlock& other : out)
      ASSERT_TRUE(end(block) <= other.offset || end(other) <= block.offset) << i;
    ASSERT_LE(end(block), mapping.endpoint(0).send_ring.see() + size);
    ASSERT_EQ(header(block).in_ring, 1U);
    out.push_back(block);
  }
}

TEST_F(SendRingTest, GivesUpItsMemoryWhenNothingIsUnread) {
  const BufferBlock unread = take(middle);
  ring.release();
  EXPECT_TRUE(ring.exists());
  ring.give_back(unread);
  ring.release();
  EXPECT_FALSE(ring.exists());
  EXPECT_EQ(reserved(), at_first);
  EXPECT_EQ(take(middle).offset, 0U) << "who asks for memory back wants to use it";
  EXPECT_GT(places_of(ring, middle, 1000).size(), 2U);
  EXPECT_TRUE(ring.exists());
}

TEST_F(SendRingTest, DoesWithoutAtTheLimit) {
  Heap heap(mapping);
  std::vector<std::uint64_t> taken;
  while (const auto block = heap.allocate(std::size_t{1} << 20)) taken.push_back(*block);
  EXPECT_EQ(places_of(ring, middle, 1000).size(), 1U) << "offset 0 each time";
  for (const std::uint64_t block : taken) heap.free(block, std::size_t{1} << 20);
  EXPECT_GT(places_of(ring, middle, 1000).size(), 2U) << "after a while it is tried again";
}

TEST_F(SendRingTest, OfTheKilledGoesToTheNextInTheSlot) {
  const BufferBlock unread = take(middle), untold = take(middle), read = take(middle);
  header(untold).untold.publish(1);
  header(read).readers.publish(0);
  hand_over_buffers(mapping, 0);  // as the supervisor does
  SendRing next(mapping, 0);      // as after the death of a process that has not released it
  EXPECT_TRUE(next.exists());
  const std::set<std::uint64_t> offsets = places_of(next, middle, 1000);
  EXPECT_FALSE(offsets.contains(unread.offset));
  EXPECT_TRUE(offsets.contains(untold.offset)) << "nobody was told of it";
  EXPECT_TRUE(offsets.contains(read.offset));
  next.release();
  EXPECT_TRUE(next.exists()) << "somebody reads in it";
  release_buffer(mapping, unread.offset);
  next.release();
  EXPECT_FALSE(next.exists());
  EXPECT_EQ(reserved(), at_first);
}

TEST_F(SendRingTest, OfTheKilledIsFreedIfNothingIsUnread) {
  header(take(middle)).readers.publish(0);
  hand_over_buffers(mapping, 0);
  EXPECT_EQ(reserved(), at_first);
  EXPECT_EQ(mapping.endpoint(0).send_ring.see(), 0U);
}

}  // namespace
}  // namespace tutti::transport::shm
