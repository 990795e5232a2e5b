// SPDX-License-Identifier: BSD-3-Clause
// Tests the store policy with two kinds of stores whose cost the test determines.
#include "transport/shm/store_policy.hpp"

#include <gtest/gtest.h>

namespace tutti::transport::shm {
namespace {

// Returns how many of `count` fragments of so many bytes were stored past the caches.
int sent_past(StorePolicy& ways, std::uint32_t bytes, int count, std::int64_t past,
              std::int64_t through) {
  int sent = 0;
  for (int i = 0; i < count; ++i) {
    const StorePolicy::Choice choice = ways.next(bytes);
    sent += choice.non_temporal ? 1 : 0;
    if (!choice.timed) continue;
    const bool interrupted = i % 40 == 7;
    ways.learn(bytes, choice.non_temporal,
               std::chrono::nanoseconds((choice.non_temporal ? past : through) *
                                        (interrupted ? 1000 : 1)));
  }
  return sent;
}

TEST(StorePolicy, TheBetterOneIsTakenForEachSize) {
  StorePolicy ways;
  constexpr int count = 1000, nearly_all = 950;
  EXPECT_GT(sent_past(ways, 4096, count, 1000, 2800), nearly_all);
  EXPECT_LT(sent_past(ways, 8192, count, 1400, 1160), count - nearly_all);
  EXPECT_GT(sent_past(ways, 4096, count, 1000, 2800), nearly_all);
  EXPECT_LT(sent_past(ways, 16384, count, 2670, 1900), count - nearly_all);
  EXPECT_GT(sent_past(ways, StorePolicy::longest, count, 3800, 7800), nearly_all);
}

TEST(StorePolicy, AChangeOfPlaceIsNoticed) {
  StorePolicy ways;
  sent_past(ways, 4096, 1000, 1000, 2800);
  sent_past(ways, 4096, 1000, 1000, 500);
  EXPECT_LT(sent_past(ways, 4096, 1000, 1000, 500), 50);
}

TEST(StorePolicy, AnySizeHasAPlace) {
  StorePolicy ways;
  for (const std::uint32_t bytes : {0U, 1U, 1025U, 4096U, 4097U, 8193U, 16385U, 32768U}) {
    ways.learn(bytes, ways.next(bytes).non_temporal, std::chrono::nanoseconds(1));
  }
}

}  // namespace
}  // namespace tutti::transport::shm
