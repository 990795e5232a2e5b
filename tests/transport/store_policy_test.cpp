// SPDX-License-Identifier: BSD-3-Clause
// Tests the store policy with two kinds of stores whose cost the test determines, and the estimate
// of how far a reader is. That estimate for other processors depends on the machine; this
// processor's own lines must not be far.
#include "transport/store_policy.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace tutti::transport {
namespace {

constexpr base::Tuning defaults;

// Returns the distance of a peer whose lines take longer than this table expects of a near one.
PeerDistance far_away() {
  base::Tuning tuning;
  tuning.far_line = -1;
  tuning.far_look_every = 1;
  PeerDistance distance;
  const Shared<std::uint32_t> number;
  for (int i = 0; i < 1000; ++i)
    static_cast<void>(distance.load(tuning, number, [](std::uint32_t) { return true; }));
  return distance;
}

// Returns how many of `count` fragments of so many bytes were stored past the caches.
int sent_past(StorePolicy& policy, std::uint32_t bytes, int count, std::int64_t past,
              std::int64_t through) {
  const PeerDistance far = far_away();
  int sent = 0;
  for (int i = 0; i < count; ++i) {
    const StorePolicy::Choice choice = policy.for_packet(bytes, 1, far);
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
  EXPECT_GT(sent_past(policy, 32768, count, 3800, 7800), nearly_all);
  EXPECT_LT(sent_past(policy, 65536, count, 12800, 8400), count - nearly_all);
  EXPECT_GT(sent_past(policy, 131072, count, 12800, 28400), nearly_all);
}

// The share of trials, times what the worse way loses, is bounded; and a way that stays the worse
// one is tried less and less.
TEST(StorePolicy, TrialsThinOut) {
  constexpr int count = 100'000;
  for (const std::int64_t past : {1100, 2000, 10'000, 100'000}) {
    StorePolicy policy(defaults);
    sent_past(policy, 65536, 10'000, past, 1000);
    const int trials = sent_past(policy, 65536, count, past, 1000);
    const double loss = static_cast<double>(past) / 1000 - 1;
    EXPECT_LE(trials * loss / count, 0.01) << past;
    EXPECT_GT(trials, 0) << past;
    EXPECT_LE(trials, count / 900) << past;
  }
}

TEST(StorePolicy, TheRowSaysTheWayOfWhatWasNotTimed) {
  for (const std::int64_t past : {0, 1}) {
    base::Tuning tuning;
    tuning.far_past_caches = past;
    StorePolicy policy(tuning);
    const PeerDistance far = far_away();
    EXPECT_EQ(policy.for_packet(65536, 2, far).non_temporal, past == 1);
    EXPECT_EQ(policy.for_packet(65536, 1, far).non_temporal, past == 1);
    EXPECT_EQ(policy.message_past_caches(65536, far), past == 1);
  }
}

TEST(StorePolicy, AChangeOfPlaceIsNoticed) {
  StorePolicy policy(defaults);
  sent_past(policy, 4096, 1000, 1000, 2800);
  sent_past(policy, 4096, 2000, 1000, 500);
  EXPECT_LT(sent_past(policy, 4096, 1000, 1000, 500), 50);
}

// Sizes up to a power of two of at least 4 KiB form a class, which begins behind the one before.
TEST(StorePolicy, SizesOfAClassShareTheirTimes) {
  for (const auto& [taught, asked] :
       {std::pair{0U, 4096U}, std::pair{1U, 4096U}, std::pair{4096U, 1U}, std::pair{4097U, 8192U},
        std::pair{8192U, 4097U}, std::pair{8193U, 16384U}, std::pair{16384U, 8193U},
        std::pair{16385U, 32768U}, std::pair{32768U, 16385U}, std::pair{32769U, 65536U},
        std::pair{65537U, 131072U}}) {
    StorePolicy policy(defaults);
    sent_past(policy, taught, 100, 2800, 1000);
    EXPECT_EQ(sent_past(policy, asked, 20, 2800, 1000), 0) << taught << " " << asked;
  }
}

TEST(StorePolicy, NearReadersGetAllThroughTheCaches) {
  StorePolicy policy(defaults);
  for (int i = 0; i < 100; ++i) {
    const StorePolicy::Choice choice = policy.for_packet(64 << 10, 1, {});
    EXPECT_FALSE(choice.non_temporal || choice.timed);
  }
}

TEST(StorePolicy, OnlyPacketsOfOneReaderAreTimed) {
  StorePolicy policy(defaults);
  const PeerDistance far = far_away();
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(policy.for_packet(4096, 2, far).timed);
}

TEST(PeerDistance, GivesTheNumberWhetherOrNotItLooksAtTheClock) {
  PeerDistance distance;
  Shared<std::uint32_t> number;
  for (std::uint32_t i = 0; i < 50; ++i) {
    number.put(i % 3);
    EXPECT_EQ(distance.load(defaults, number, [](std::uint32_t found) { return found == 2; }),
              i % 3);
  }
}

// A load that is interrupted looks like one from far, so a busy machine gets several attempts.
TEST(PeerDistance, OwnLinesAreNear) {
  PeerDistance distance;
  const Shared<std::uint32_t> number;
  EXPECT_FALSE(distance.is_far(defaults));
  bool near_once = false;
  for (int attempt = 0; attempt < 100 && !near_once; ++attempt) {
    for (int i = 0; i < 10000; ++i)
      EXPECT_EQ(distance.load(defaults, number, [](std::uint32_t) { return true; }), 0U);
    near_once = !distance.is_far(defaults);
  }
  EXPECT_TRUE(near_once);
}

}  // namespace
}  // namespace tutti::transport
