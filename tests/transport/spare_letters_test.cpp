// SPDX-License-Identifier: BSD-3-Clause
// Which memory the next letter gets: of middle lengths by turns, of others the largest that is there.
#include "transport/shm/spare_letters.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tutti::transport::shm {
namespace {

class Letters : public testing::Test {
 protected:
  // Where a letter was that is discarded by now.
  static std::uint64_t place_of_one(SpareLetters& letters, std::uint64_t bytes, bool shared_cache) {
    const LetterBlock block = letters.take(bytes, shared_cache);
    EXPECT_NE(block.offset, 0U);
    EXPECT_GE(block.bytes, bytes);
    letters.keep(block);
    return block.offset;
  }
  // Different blocks that so many letters got, each discarded before the next one.
  static std::size_t blocks_of(SpareLetters& letters, std::uint64_t bytes, int count, bool shared_cache) {
    std::set<std::uint64_t> offsets;
    for (int i = 0; i < count; ++i) offsets.insert(place_of_one(letters, bytes, shared_cache));
    return offsets.size();
  }
  std::size_t blocks_of(std::uint64_t bytes, int count, bool shared_cache) {
    return blocks_of(spare, bytes, count, shared_cache);
  }
  [[nodiscard]] std::int64_t reserved() const { return mapping.header().reserved_bytes.load(); }

  static constexpr std::int64_t limit = std::int64_t{48} << 20;
  static constexpr std::uint64_t short_one = 1000, middle = 60'000, given_back = 200'000, long_one = 3 << 20;
  const Mapping mapping = Mapping::create({.limit_bytes = limit});
  const std::int64_t at_first = reserved();
  const std::uint64_t window = mapping.header().arena_bytes / 4 * 3;
  SpareLetters spare{mapping, 0};
};

TEST_F(Letters, OfMiddleLengthTakeTurns) {
  const std::size_t all = window / 65'536;
  EXPECT_EQ(blocks_of(middle, 1000, true), all);
  EXPECT_EQ(blocks_of(middle, static_cast<int>(all) - 1, true), all - 1) << "the one that has rested longest is next";
  EXPECT_LE(reserved() - at_first, window + (1 << 20));
}

TEST_F(Letters, OfAShortSeriesUseOneBlock) {
  EXPECT_EQ(blocks_of(middle, 8 * static_cast<int>(window / 65'536) - 1, true), 1U);
}

TEST_F(Letters, OfSizesInUseLeaveEachOtherTheirRoom) {
  for (int i = 0; i < 2000; ++i) place_of_one(spare, i % 2 == 0 ? middle : given_back, true);
  const std::int64_t before = reserved();
  std::set<std::uint64_t> offsets;
  for (int i = 0; i < 2000; ++i) offsets.insert(place_of_one(spare, i % 2 == 0 ? middle : given_back, true));
  EXPECT_GE(offsets.size(), window / (256 * 1024));
  EXPECT_LE(offsets.size(), window / 65'536);
  EXPECT_EQ(reserved(), before);
}

// Memory that is given back and taken again at every fourth letter would be new pages each time.
TEST_F(Letters, ThatAreOutCountAsWell) {
  base::Fifo<LetterBlock> out{16};
  std::int64_t before = 0;
  for (int i = 0; i < 2000; ++i) {
    out.push_back(spare.take(given_back, true));
    if (i == 1000) before = reserved();
    if (i > 1000) {
      ASSERT_EQ(reserved(), before) << i;
    }
    if (i % 5 < 4) continue;
    while (!out.empty()) {
      spare.keep(out.front());
      out.pop_front();
    }
  }
}

TEST_F(Letters, AreNotMoreThanNeededWhereNoCacheIsShared) {
  EXPECT_EQ(blocks_of(middle, 1000, false), 1U);
}

TEST_F(Letters, OfOtherLengthsUseTheLargest) {
  EXPECT_EQ(blocks_of(short_one, 100, true), 1U);
  EXPECT_EQ(blocks_of(long_one, 100, true), 1U);
  EXPECT_FALSE(spare.fits(long_one + 1));
  EXPECT_TRUE(spare.fits(short_one));
}

TEST_F(Letters, OfALengthThatIsNotUsedAnyMoreMakeRoom) {
  EXPECT_GT(blocks_of(20'000, 1000, true), 30U);
  EXPECT_EQ(blocks_of(given_back, 1000, true), window / (256 * 1024));
  EXPECT_GE(blocks_of(middle, 1000, true), window / 65'536);
  EXPECT_LE(reserved() - at_first, 2 * window + (2 << 20)) << "of 32 and 64 KiB; of 256 KiB the heap gives pages back";
}

TEST_F(Letters, GiveWayAtTheLimit) {
  EXPECT_GT(blocks_of(given_back, 1000, true), 1U);
  const LetterBlock most = spare.take(std::uint64_t{32} << 20, true);
  EXPECT_NE(most.offset, 0U) << "those kept are freed for it";
  EXPECT_EQ(spare.take(std::uint64_t{16} << 20, true).offset, 0U);
  spare.keep(most);
  EXPECT_NE(spare.take(std::uint64_t{16} << 20, true).offset, 0U);
}

TEST_F(Letters, AreFreedOnRequest) {
  EXPECT_GT(blocks_of(middle, 1000, true), 1U);
  EXPECT_EQ(blocks_of(long_one, 1, true), 1U);
  spare.release();
  EXPECT_FALSE(spare.fits(middle));
  EXPECT_LT(reserved() - at_first, std::int64_t{long_one}) << "what is left waits in the heap for other uses";
}

TEST_F(Letters, OfTheKilledGoToTheNextInTheirSlot) {
  blocks_of(middle, 1000, true);
  blocks_of(long_one, 1, true);
  const std::int64_t before = reserved();
  SpareLetters next(mapping, 0);  // as after the death of a process that has not released them
  EXPECT_TRUE(next.fits(middle));
  EXPECT_TRUE(next.fits(long_one));
  EXPECT_EQ(blocks_of(next, middle, 1000, true), window / 65'536);
  EXPECT_EQ(blocks_of(next, long_one, 1, true), 1U);
  EXPECT_EQ(reserved(), before);
  next.release();
  EXPECT_FALSE(SpareLetters(mapping, 0).fits(1));
}

TEST_F(Letters, AtTheLimitAnOldBlockServesInPlaceOfANewOne) {
  const std::uint64_t first = place_of_one(spare, middle, true);
  Heap heap(mapping);
  while (heap.allocate(std::size_t{64} << 10)) {
  }
  EXPECT_EQ(blocks_of(middle, 1000, true), 1U);
  EXPECT_EQ(spare.take(middle, true).offset, first);
}

}  // namespace
}  // namespace tutti::transport::shm
