// SPDX-License-Identifier: BSD-3-Clause
// Tests that the largest of the buffers that were read is kept.
#include "transport/shm/cached_buffer.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace tutti::transport::shm {
namespace {

class CachedBufferTest : public testing::Test {
 protected:
  std::uint64_t place_of_one(std::uint64_t bytes) {
    const BufferBlock block = spare.take(bytes);
    EXPECT_NE(block.offset, 0U);
    EXPECT_GE(block.bytes, bytes);
    spare.keep(block);
    return block.offset;
  }
  [[nodiscard]] std::int64_t reserved() const { return mapping.header().reserved_bytes.see(); }

  static constexpr std::uint64_t short_one = 1000, long_one = 3 << 20;
  const Mapping mapping = Mapping::create({.limit_bytes = std::int64_t{48} << 20});
  const std::int64_t at_first = reserved();
  CachedBuffer spare{mapping, 0};
};

TEST_F(CachedBufferTest, ServesAllThatFit) {
  const std::uint64_t place = place_of_one(long_one);
  EXPECT_EQ(place_of_one(short_one), place);
  EXPECT_EQ(place_of_one(long_one), place);
  EXPECT_TRUE(spare.fits(short_one));
  EXPECT_FALSE(spare.fits(long_one + 1));
}

TEST_F(CachedBufferTest, IsTheLargest) {
  const BufferBlock first = spare.take(long_one), second = spare.take(short_one);
  spare.keep(first);
  spare.keep(second);
  EXPECT_EQ(place_of_one(short_one), first.offset);
}

TEST_F(CachedBufferTest, MakesRoomAtTheLimit) {
  place_of_one(std::uint64_t{20} << 20);
  EXPECT_NE(place_of_one(std::uint64_t{40} << 20), 0U) << "what was kept is freed for it";
}

TEST_F(CachedBufferTest, IsRefusedBeyondTheLimit) {
  EXPECT_EQ(spare.take(std::uint64_t{64} << 20).offset, 0U);
}

TEST_F(CachedBufferTest, IsFreedOnRequest) {
  place_of_one(long_one);
  spare.release();
  EXPECT_FALSE(spare.fits(1));
  EXPECT_EQ(reserved(), at_first);
}

// A block that is used again has the bytes of its last owner, such as a window.
TEST_F(CachedBufferTest, IsNeverTakenForAPartOfTheSendRing) {
  Heap heap(mapping);
  const std::size_t bytes = sizeof(BufferHeader) + short_one;
  const auto used = heap.allocate(bytes);
  ASSERT_TRUE(used);
  std::memset(mapping.at<void>(*used), 0xff, bytes);
  heap.free(*used, bytes);
  const BufferBlock block = spare.take(short_one);
  ASSERT_EQ(block.offset, *used);
  EXPECT_EQ(mapping.at<BufferHeader>(block.offset)->in_ring, 0U);
  spare.keep(block);
}

TEST_F(CachedBufferTest, OfTheKilledIsFreed) {
  place_of_one(long_one);
  hand_over_buffers(mapping, 0);  // as the supervisor does
  EXPECT_EQ(reserved(), at_first);
}

// The second table of records begins at the 128th block.
TEST_F(CachedBufferTest, AnyNumberOfBlocksIsRecorded) {
  constexpr int many = 500;
  constexpr std::uint64_t bytes = 140'000;  // reserved while it is in use
  for (int i = 0; i < 2; ++i) {
    const Mapping large = Mapping::create({.limit_bytes = std::int64_t{200} << 20});
    CachedBuffer killed(large, 0);
    const std::int64_t before = large.header().reserved_bytes.see();
    std::vector<BufferBlock> blocks;
    while (blocks.size() < many) blocks.push_back(killed.take(bytes));
    for (std::size_t k = 0; i == 1 && k < many; k += 2) killed.keep(blocks[k]);
    EXPECT_GT(large.header().reserved_bytes.see() - before, many / 2 * std::int64_t{bytes});
    hand_over_buffers(large, 0);
    EXPECT_LE(large.header().reserved_bytes.see() - before, 8192) << "only tables, kept for reuse";
  }
}

}  // namespace
}  // namespace tutti::transport::shm
