// SPDX-License-Identifier: BSD-3-Clause
// Tests the heap of a segment: blocks never overlap, memory is reserved against the limit, and
// large blocks give it back.
#include "transport/shm/heap.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <thread>

namespace tutti::transport::shm {
namespace {

Mapping mapping_with(std::int64_t limit) {
  return Mapping::create({.limit_bytes = limit});
}

TEST(Heap, GivesOutBlocksThatDoNotOverlap) {
  const Mapping mapping = mapping_with(std::int64_t{256} << 20);
  Heap heap(mapping);
  std::mt19937 random(7);
  std::map<std::uint64_t, std::size_t> live;  // offset -> bytes
  for (int i = 0; i < 5'000; ++i) {
    if (live.size() > 40 || (!live.empty() && random() % 3 == 0)) {
      const auto victim = std::next(live.begin(), random() % live.size());
      heap.free(victim->first, victim->second);
      live.erase(victim);
      continue;
    }
    const std::size_t bytes =
        random() % 10 == 0 ? 300'000 + random() % 500'000 : 1 + random() % 5'000;
    const auto offset = heap.allocate(bytes);
    ASSERT_TRUE(offset.has_value());
    EXPECT_EQ(*offset % line_bytes, 0U);
    const auto after = live.lower_bound(*offset);
    ASSERT_TRUE(after == live.end() || *offset + bytes <= after->first);
    ASSERT_TRUE(after == live.begin() ||
                std::prev(after)->first + std::prev(after)->second <= *offset);
    std::memset(mapping.at<std::byte>(*offset), 0x5a, bytes);
    live.emplace(*offset, bytes);
  }
}

TEST(Heap, RefusesWhatIsBeyondTheLimitAndReturnsWhatWasFreed) {
  const Mapping mapping = mapping_with(std::int64_t{64} << 20);
  Heap heap(mapping);
  const std::int64_t before = mapping.header().reserved_bytes.see();
  const auto first = heap.allocate(std::size_t{40} << 20);
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(heap.allocate(std::size_t{40} << 20).has_value());
  heap.free(*first, std::size_t{40} << 20);
  EXPECT_EQ(mapping.header().reserved_bytes.see(), before);
  EXPECT_TRUE(heap.allocate(std::size_t{40} << 20).has_value());
  EXPECT_FALSE(heap.allocate(std::size_t{1} << 50).has_value());
}

TEST(Heap, ServesSeveralThreadsAtOnce) {
  const Mapping mapping = mapping_with(std::int64_t{256} << 20);
  std::vector<std::thread> threads;
  for (int id = 1; id <= 4; ++id) {
    threads.emplace_back([&mapping, id] {
      Heap heap(mapping);
      for (int round = 0; round < 2'000; ++round) {
        const auto bytes = static_cast<std::size_t>(64 << (round % 5));
        const auto offset = heap.allocate(bytes);
        ASSERT_TRUE(offset.has_value());
        auto* block = mapping.at<unsigned char>(*offset);
        std::memset(block, id, bytes);
        std::this_thread::yield();
        for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(block[i], id);
        heap.free(*offset, bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tutti::transport::shm
