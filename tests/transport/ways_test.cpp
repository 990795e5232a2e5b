// SPDX-License-Identifier: BSD-3-Clause
// What is learned of two ways whose cost the test knows.
#include "transport/shm/ways.hpp"

#include <gtest/gtest.h>

namespace tutti::transport::shm {
namespace {

// Chunks of so many bytes that went past the caches, of `count`.
int sent_past(Ways& ways, std::uint32_t bytes, int count, std::int64_t past, std::int64_t through) {
  int sent = 0;
  for (int i = 0; i < count; ++i) {
    const Ways::Choice choice = ways.next(bytes);
    sent += choice.past_caches ? 1 : 0;
    if (!choice.timed) continue;
    const bool interrupted = i % 40 == 7;
    ways.learn(
        bytes, choice.past_caches,
        std::chrono::nanoseconds((choice.past_caches ? past : through) * (interrupted ? 1000 : 1)));
  }
  return sent;
}

TEST(Ways, TheBetterOneIsTakenForEachSize) {
  Ways ways;
  constexpr int count = 1000, nearly_all = 950;
  EXPECT_GT(sent_past(ways, 4096, count, 1000, 2800), nearly_all);
  EXPECT_LT(sent_past(ways, 8192, count, 1400, 1160), count - nearly_all);
  EXPECT_GT(sent_past(ways, 4096, count, 1000, 2800), nearly_all);
  EXPECT_LT(sent_past(ways, 16384, count, 2670, 1900), count - nearly_all);
  EXPECT_GT(sent_past(ways, Ways::longest, count, 3800, 7800), nearly_all);
}

TEST(Ways, AChangeOfPlaceIsNoticed) {
  Ways ways;
  sent_past(ways, 4096, 1000, 1000, 2800);
  sent_past(ways, 4096, 1000, 1000, 500);
  EXPECT_LT(sent_past(ways, 4096, 1000, 1000, 500), 50);
}

TEST(Ways, AnySizeHasAPlace) {
  Ways ways;
  for (const std::uint32_t bytes : {0U, 1U, 1025U, 4096U, 4097U, 8193U, 16385U, 32768U}) {
    ways.learn(bytes, ways.next(bytes).past_caches, std::chrono::nanoseconds(1));
  }
}

}  // namespace
}  // namespace tutti::transport::shm
