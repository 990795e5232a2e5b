// SPDX-License-Identifier: BSD-3-Clause
// Tests windows: those that take turns do not meet and rest in between, and what a killed process
// has left is free for the next one.
#include "services/windows.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "base/error.hpp"

namespace tutti::services {
namespace {

using transport::shm::Mapping;

class WindowsInTurn : public testing::Test {
 protected:
  static Mapping segment() {
    base::Tuning tuning;
    tuning.block_ring_after = 0;
    return Mapping::create({.limit_bytes = std::int64_t{48} << 20, .tuning = tuning});
  }
  [[nodiscard]] std::int64_t reserved() const { return mapping.header().reserved_bytes.see(); }

  const Mapping mapping = segment();
  const std::int64_t at_first = reserved();
  std::optional<Windows> windows{std::in_place, mapping, 0};
};

// Two are in use at each time, like those of two supersteps.
TEST_F(WindowsInTurn, EachRestsWhileTheOthersAreUsed) {
  constexpr std::int64_t bytes = 100'000;
  void* const first = windows->in_turn(bytes);
  void* before = first;
  int turns = 0;
  for (; turns < 1000; ++turns) {
    void* const next = windows->in_turn(bytes);
    ASSERT_NE(next, nullptr);
    if (next == first) break;
    windows->free(before);
    before = next;
  }
  EXPECT_GE(turns, 40);
  EXPECT_LE(turns, 42);
}

TEST_F(WindowsInTurn, ThoseInUseDoNotMeet) {
  std::mt19937 random(20261123);
  struct Used {
    std::byte* begin;
    std::byte* end;
  };
  std::vector<Used> used;
  int taken = 0, refused = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto bytes = static_cast<std::int64_t>(4096 + random() % 500'000);
    auto* const one = static_cast<std::byte*>(used.size() < 12 ? windows->in_turn(bytes) : nullptr);
    if (one == nullptr) {
      if (used.empty()) continue;
      refused += used.size() < 12 ? 1 : 0;
      std::swap(used[random() % used.size()], used.back());
      windows->free(used.back().begin);
      used.pop_back();
      continue;
    }
    ++taken;
    EXPECT_EQ(windows->name_of(one) % transport::shm::line_bytes, 0U);
    for (const Used& other : used)
      ASSERT_TRUE(one + bytes <= other.begin || other.end <= one) << step;
    used.push_back({one, one + bytes});
  }
  EXPECT_GT(taken, 5000);
  EXPECT_GT(refused, 100);
  for (const Used& one : used) windows->free(one.begin);
  EXPECT_TRUE(windows->empty());
}

TEST_F(WindowsInTurn, OnlyTheAddressOfOneFreesIt) {
  auto* const one = static_cast<std::byte*>(windows->in_turn(10'000));
  std::memset(one, 0xff, 10'000);
  EXPECT_THROW(windows->free(one + 64), base::Error);
  EXPECT_THROW(windows->free(one + 4096), base::Error);
  EXPECT_THROW(windows->free(nullptr), base::Error);
  windows->free(one);
  EXPECT_THROW(windows->free(one), base::Error);
  EXPECT_THROW(static_cast<void>(windows->in_turn(-1)), base::Error);
}

TEST_F(WindowsInTurn, OnlyWindowsAreWritten) {
  auto* const one = static_cast<std::byte*>(windows->allocate(100));
  std::byte outside[8]{};
  EXPECT_THROW(windows->write(outside, one, 8), base::Error);
  EXPECT_THROW(windows->write(one, nullptr, 8), base::Error);
  EXPECT_THROW(windows->write(one, outside, -1), base::Error);
  windows->write(nullptr, nullptr, 0);
}

TEST_F(WindowsInTurn, WithoutMemoryThereAreNone) {
  std::vector<void*> all;
  try {
    for (;;) all.push_back(windows->allocate(1 << 20));
  } catch (const base::Error&) {
  }
  EXPECT_EQ(windows->in_turn(10'000), nullptr);
  for (void* const one : all) windows->free(one);
}

TEST_F(WindowsInTurn, AllIsFreeWhenTheProcessEnds) {
  EXPECT_NE(windows->in_turn(10'000), nullptr);
  EXPECT_NE(windows->allocate(1 << 20), nullptr);
  windows.reset();
  EXPECT_EQ(reserved(), at_first);
}

TEST_F(WindowsInTurn, TheMemoryOfTheKilledIsFreedBeforeTheNextProcess) {
  static_cast<void>(windows->in_turn(10'000));
  static auto& killed = *new std::vector<std::optional<Windows>*>;
  killed.push_back(new std::optional<Windows>(std::in_place, mapping, 1));
  static_cast<void>((*killed.back())->in_turn(10'000));
  transport::shm::abandon(mapping, 1);
  EXPECT_GT(reserved() - at_first, 8 << 20);
  transport::shm::free_blocks(mapping, 1);
  EXPECT_LT(reserved() - at_first, 5 << 20);
}

TEST_F(WindowsInTurn, HalfOfTheMemoryIsLeftToThoseWhoNeedIt) {
  int count = 0;
  while (windows->allocate_if_room(4 << 20) != nullptr) ++count;
  EXPECT_EQ(count, 5);
  EXPECT_LE(reserved(), 24 << 20);
  EXPECT_NE(windows->allocate(4 << 20), nullptr);
  EXPECT_EQ(windows->allocate_if_room(4096), nullptr);
  EXPECT_THROW(static_cast<void>(windows->allocate_if_room(-1)), base::Error);
}

TEST_F(WindowsInTurn, MemoryIsKnownByItsStart) {
  auto* const memory = static_cast<std::byte*>(windows->allocate(1000));
  EXPECT_EQ(windows->at(memory).data(), memory);
  EXPECT_EQ(windows->at(memory).size(), 1000U);
  EXPECT_TRUE(windows->at(memory + 1).empty());
  EXPECT_TRUE(windows->at(windows->in_turn(10'000)).empty());
}

TEST_F(WindowsInTurn, TheMemoryOfAProgramStaysWhenItIsKept) {
  EXPECT_FALSE(windows->keep());
  EXPECT_NE(windows->allocate(4 << 20), nullptr);
  EXPECT_TRUE(windows->keep());
  windows.reset();
  EXPECT_EQ(reserved(), at_first + (4 << 20));
}

// However data is copied, all of it arrives.
TEST_F(WindowsInTurn, DataIsWrittenWhole) {
  auto* const one = static_cast<std::byte*>(windows->allocate(100'000));
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t bytes = random() % 90'000, at = random() % 5'000;
    std::vector<std::byte> data(bytes, static_cast<std::byte>(random()));
    windows->write(one + at, data.data(), static_cast<std::int64_t>(bytes));
    ASSERT_EQ(std::memcmp(one + at, data.data(), bytes), 0);
  }
}

}  // namespace
}  // namespace tutti::services
