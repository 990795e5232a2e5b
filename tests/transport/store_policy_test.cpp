// SPDX-License-Identifier: BSD-3-Clause
// Tests the store policy with two kinds of stores whose cost the test determines.
#include "transport/shm/store_policy.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace tutti::transport::shm {
namespace {

constexpr base::Tuning defaults;

// Returns how many of `count` fragments of so many bytes were stored past the caches.
int sent_past(StorePolicy& policy, std::uint32_t bytes, int count, std::int64_t past,
              std::int64_t through) {
  int sent = 0;
  for (int i = 0; i < count; ++i) {
    const StorePolicy::Choice choice = policy.next(bytes);
    sent += choice.non_temporal ? 1 : 0;
    if (!choice.timed) continue;
    const bool interrupted = i % 40 == 7;
    policy.learn(bytes, choice.non_temporal,
                 std::chrono::nanoseconds((choice.non_temporal ? past : through) *
                                          (interrupted ? 1000 : 1)));
  }
  return sent;
}

TEST(StorePolicy, TheBetterOneIsTakenForEachSize) {
  StorePolicy policy(defaults);
  constexpr int count = 1000, nearly_all = 950;
  EXPECT_GT(sent_past(policy, 4096, count, 1000, 2800), nearly_all);
  EXPECT_LT(sent_past(policy, 8192, count, 1400, 1160), count - nearly_all);
  EXPECT_GT(sent_past(policy, 4096, count, 1000, 2800), nearly_all);
  EXPECT_LT(sent_past(policy, 16384, count, 2670, 1900), count - nearly_all);
  EXPECT_GT(sent_past(policy, static_cast<std::uint32_t>(defaults.learn_to), count, 3800, 7800),
            nearly_all);
}

TEST(StorePolicy, AChangeOfPlaceIsNoticed) {
  StorePolicy policy(defaults);
  sent_past(policy, 4096, 1000, 1000, 2800);
  sent_past(policy, 4096, 1000, 1000, 500);
  EXPECT_LT(sent_past(policy, 4096, 1000, 1000, 500), 50);
}

// Sizes up to a power of two of at least 4 KiB form a class, which begins behind the one before.
TEST(StorePolicy, SizesOfAClassShareTheirTimes) {
  for (const auto& [taught, asked] :
       {std::pair{0U, 4096U}, std::pair{1U, 4096U}, std::pair{4096U, 1U}, std::pair{4097U, 8192U},
        std::pair{8192U, 4097U}, std::pair{8193U, 16384U}, std::pair{16384U, 8193U},
        std::pair{16385U, 32768U}, std::pair{32768U, 16385U}}) {
    StorePolicy policy(defaults);
    sent_past(policy, taught, 100, 2800, 1000);
    EXPECT_EQ(sent_past(policy, asked, 20, 2800, 1000), 0) << taught << " " << asked;
  }
}

}  // namespace
}  // namespace tutti::transport::shm
