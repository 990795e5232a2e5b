// SPDX-License-Identifier: BSD-3-Clause
// Tests records: each is published once, and a process that comes too late keeps no memory. Those
// that front ends ask for are tested in tests/services/directory_test.cpp.
#include "transport/shm/records.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace tutti::transport::shm {
namespace {

TEST(Records, BelongToWhoPublishesFirst) {
  const Mapping mapping = Mapping::create({.world_size = 2});
  EXPECT_EQ(find_record(mapping, "text"), nullptr);
  const Published first = publish(mapping, "text", 1, "one", 2);
  EXPECT_TRUE(first.is_new);
  const Published second = publish(mapping, "text", 0, "another");
  EXPECT_FALSE(second.is_new);
  EXPECT_EQ(second.record, first.record);
  EXPECT_EQ(find_record(mapping, "text"), first.record);
  EXPECT_EQ(find_record(mapping, "tex"), nullptr);
  EXPECT_EQ(text_of(*first.record), std::string_view("one\0\0", 5));
  EXPECT_EQ(first.record->maker, 1);
}

TEST(Records, WakeWhoMayWaitForThem) {
  const Mapping mapping = Mapping::create({.world_size = 2});
  mapping.endpoint(1).waiter.show(1);
  (void)publish(mapping, "text", 0, "one");
  EXPECT_EQ(mapping.endpoint(1).waiter.see(), 0U);
  mapping.endpoint(1).waiter.show(1);
  (void)publish(mapping, "text", 0, "one");
  EXPECT_EQ(mapping.endpoint(1).waiter.see(), 1U) << "nothing was published";
}

// The blocks are of one size, so those that came too late serve for the next names.
TEST(Records, BlocksOfThoseThatCameTooLateAreFreed) {
  constexpr int threads = 4, names = 200;
  constexpr std::size_t block = 4096;
  const Mapping mapping = Mapping::create({.world_size = threads});
  const std::uint64_t before = mapping.header().heap_top.see();
  std::array<int, threads> published{};
  std::vector<std::thread> all;
  for (int id = 0; id < threads; ++id)
    all.emplace_back([&, id] {
      for (int name = 0; name < names; ++name)
        published[static_cast<std::size_t>(id)] +=
            publish(mapping, std::to_string(name), id, "", block - sizeof(Record)).is_new ? 1 : 0;
    });
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(published[0] + published[1] + published[2] + published[3], names);
  EXPECT_LE(mapping.header().heap_top.see() - before, (names + threads) * block);
}

}  // namespace
}  // namespace tutti::transport::shm
