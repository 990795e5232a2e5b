// SPDX-License-Identifier: BSD-3-Clause
// Tests which memory the next message gets: of the ring if its length is a middle one, else the
// kept block, else of the heap. fragments_test.cpp tests fragments.
#include "transport/shm/lent_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace tutti::transport::shm {
namespace {

class MessageMemory : public testing::Test {
 protected:
  // Lends a block of which its only reader was told.
  Lent lend(std::uint64_t bytes) {
    const Lent block = memory->acquire(bytes, 1, peer);
    if (block.data != nullptr) header(block).count_told(1);
    return block;
  }
  void read(const Lent& block) { release_block(mapping, block.name); }
  // Returns the place of a block that is read at once; 0 if there is none.
  std::uint64_t place_of_one(std::uint64_t bytes) {
    const Lent block = lend(bytes);
    if (block.data == nullptr) return 0;
    read(block);
    memory->reclaim(Depth::oldest);  // as after sending
    return block.name;
  }
  std::set<std::uint64_t> places_of(std::uint64_t bytes, std::size_t count) {
    std::set<std::uint64_t> places;
    for (std::size_t i = 0; i < count; ++i) places.insert(place_of_one(bytes));
    return places;
  }
  [[nodiscard]] LentHeader& header(const Lent& block) const {
    return *mapping.at<LentHeader>(block.name);
  }
  [[nodiscard]] bool is_in_ring(const Lent& block) const { return header(block).part != 0; }
  [[nodiscard]] bool has_ring() const { return mapping.endpoint(0).message_ring.see() != 0; }
  [[nodiscard]] std::int64_t reserved() const { return mapping.header().reserved_bytes.see(); }
  // The process of the slot ends, and another one takes its place.
  void be_killed() {
    abandon(mapping, 0);  // as the supervisor does
    memory.reset(new_memory());
  }

  static constexpr std::uint64_t short_one = 1000, middle = 60'000, long_one = 3 << 20;
  const Mapping mapping = Mapping::create({.limit_bytes = std::int64_t{48} << 20});
  const std::int64_t at_first = reserved();
  const std::uint64_t ring_bytes = static_cast<std::uint64_t>(mapping.tuning().mail_ring);
  const std::size_t in_a_turn = ring_bytes / (middle + 2 * line_bytes);
  PeerDistance peer;
  [[nodiscard]] LentMemory* new_memory() const {
    return new LentMemory(LentMemory::of_messages(mapping, 0, steady_clock()));
  }
  std::unique_ptr<LentMemory> memory{new_memory()};
};

TEST_F(MessageMemory, OnlyMiddleLengthsLieInTheRing) {
  constexpr std::uint64_t least = (16 << 10) - sizeof(LentHeader) + 1;
  constexpr std::uint64_t most = (512 << 10) - sizeof(LentHeader);
  EXPECT_FALSE(is_in_ring(lend(least - 1)));
  EXPECT_FALSE(has_ring());
  EXPECT_TRUE(is_in_ring(lend(least)));
  EXPECT_TRUE(has_ring());
  EXPECT_TRUE(is_in_ring(lend(most)));
  EXPECT_FALSE(is_in_ring(lend(most + 1)));
}

TEST_F(MessageMemory, BlocksOfTheRingFollowEachOther) {
  EXPECT_GE(places_of(middle, 1000).size(), in_a_turn)
      << "also with what is left at the end of each turn";
  EXPECT_EQ(places_of(middle, in_a_turn).size(), in_a_turn)
      << "the one that has rested longest is next";
  EXPECT_EQ(reserved() - at_first, static_cast<std::int64_t>(ring_bytes));
}

TEST_F(MessageMemory, WhatIsStillToBeReadIsPassedOver) {
  const Lent unread = lend(middle);
  const std::int64_t with_ring = reserved();
  EXPECT_FALSE(places_of(middle, 1000).contains(unread.name));
  EXPECT_EQ(reserved(), with_ring);
}

TEST_F(MessageMemory, BesideAFullRingThereIsTheHeap) {
  std::vector<Lent> out;
  while (out.empty() || is_in_ring(out.back())) out.push_back(lend(middle));
  EXPECT_GE(out.size(), in_a_turn);
  EXPECT_GT(reserved() - at_first, static_cast<std::int64_t>(ring_bytes));
  read(out[1]);
  EXPECT_EQ(lend(middle).name, out[1].name);
}

// Messages of all lengths are read in any order.
TEST_F(MessageMemory, NothingIsLentTwice) {
  std::mt19937 random(7);
  std::vector<std::pair<Lent, std::uint64_t>> out;
  for (int i = 0; i < 20'000; ++i) {
    if (out.size() > random() % 12) {
      const auto one = out.begin() + static_cast<std::ptrdiff_t>(random() % out.size());
      read(one->first);
      out.erase(one);
      continue;
    }
    const std::uint64_t bytes = 100 + random() % 300'000;
    const Lent block = lend(bytes);
    ASSERT_NE(block.data, nullptr);
    for (const auto& [other, length] : out) {
      ASSERT_TRUE(block.data + bytes <= other.data - sizeof(LentHeader) ||
                  other.data + length <= block.data - sizeof(LentHeader))
          << i;
    }
    out.emplace_back(block, bytes);
  }
  for (const auto& [block, length] : out) read(block);
  memory->reclaim(Depth::idle);
  EXPECT_EQ(memory->outstanding(), 0U);
  EXPECT_FALSE(has_ring()) << "all is free when all have read";
}

TEST_F(MessageMemory, TheLargestBlockIsKeptAndServesAllThatFit) {
  const Lent first = lend(long_one), second = lend(short_one);
  read(first);
  read(second);
  memory->reclaim(Depth::oldest);
  EXPECT_EQ(place_of_one(short_one), first.name);
  EXPECT_EQ(place_of_one(long_one), first.name);
}

TEST_F(MessageMemory, WhatIsKeptMakesRoomAtTheLimit) {
  EXPECT_NE(place_of_one(middle), 0U);
  EXPECT_NE(place_of_one(std::uint64_t{20} << 20), 0U);
  const auto left = static_cast<std::uint64_t>(mapping.header().limit_bytes - at_first);
  EXPECT_NE(place_of_one(left - (std::uint64_t{64} << 10)), 0U) << "so does the ring";
  EXPECT_EQ(lend(std::uint64_t{64} << 20).data, nullptr);
}

TEST_F(MessageMemory, IsGivenUpOnRequest) {
  const Lent unread = lend(middle);
  place_of_one(long_one);
  memory->reclaim(Depth::idle);
  EXPECT_TRUE(has_ring()) << "something in it is unread";
  read(unread);
  memory->reclaim(Depth::idle);
  EXPECT_EQ(reserved(), at_first);
  EXPECT_FALSE(is_in_ring(lend(middle))) << "who asks for memory back wants to use it";
  EXPECT_GT(places_of(middle, 1000).size(), 2U);
  EXPECT_TRUE(has_ring());
}

TEST_F(MessageMemory, DoesWithoutTheRingAtTheLimit) {
  Heap heap(mapping);
  constexpr std::size_t large = 1 << 20;
  std::vector<std::uint64_t> taken;
  while (const auto block = heap.allocate(large)) taken.push_back(*block);
  places_of(middle, 1000);
  EXPECT_FALSE(has_ring());
  for (const std::uint64_t block : taken) heap.free(block, large);
  EXPECT_GT(places_of(middle, 1000).size(), 2U) << "after a while it is tried again";
  EXPECT_TRUE(has_ring());
}

// A block that is used again has the bytes of its last owner, such as a window.
TEST_F(MessageMemory, ABlockOfTheHeapIsNeverTakenForOneOfTheRing) {
  Heap heap(mapping);
  const std::size_t bytes = sizeof(LentHeader) + short_one;
  const auto used = heap.allocate(bytes);
  ASSERT_TRUE(used);
  std::memset(mapping.at<void>(*used), 0xff, bytes);
  heap.free(*used, bytes);
  const Lent block = lend(short_one);
  ASSERT_EQ(block.name, *used);
  EXPECT_FALSE(is_in_ring(block));
}

TEST_F(MessageMemory, OfTheKilledIsFree) {
  place_of_one(long_one);
  place_of_one(middle);
  be_killed();
  EXPECT_EQ(reserved(), at_first);
}

TEST_F(MessageMemory, TheRingOfTheKilledGoesToTheNextInTheSlot) {
  const Lent unread = lend(middle), told = lend(middle);
  const Lent untold = memory->acquire(middle, 1, peer);
  read(told);
  be_killed();
  EXPECT_TRUE(has_ring());
  const std::set<std::uint64_t> places = places_of(middle, 1000);
  EXPECT_FALSE(places.contains(unread.name));
  EXPECT_TRUE(places.contains(untold.name)) << "nobody was told of it";
  EXPECT_TRUE(places.contains(told.name));
  be_killed();
  EXPECT_TRUE(has_ring()) << "somebody still reads in it";
  EXPECT_FALSE(places_of(middle, 1000).contains(unread.name));
  read(unread);
  memory->reclaim(Depth::idle);
  EXPECT_EQ(reserved(), at_first);
}

TEST_F(MessageMemory, TheLastReaderFreesABlockOfTheKilled) {
  const Lent half_read = memory->acquire(long_one, 3, peer);
  header(half_read).count_told(2);  // one reader was not told of it
  read(half_read);
  be_killed();
  EXPECT_GT(reserved(), at_first);
  read(half_read);
  EXPECT_EQ(reserved(), at_first);
}

}  // namespace
}  // namespace tutti::transport::shm
