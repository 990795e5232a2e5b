// SPDX-License-Identifier: BSD-3-Clause
// Tests the rule of cutting: packets cover the message and keep its units and the limits, and only
// a receiver with a processor of its own is told early.
#include "transport/cut.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tutti::transport {
namespace {

struct Drawn {
  Parcel message;
  CutLimits limits;
  Processors processors;
};

class CutAtRandom : public ::testing::Test {
 protected:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  // Lengths of all magnitudes are equally likely.
  std::uint64_t length() { return below(std::uint64_t{2} << below(24)); }
  Drawn draw() {
    Drawn one;
    one.limits.fragment = static_cast<std::uint32_t>(64 + length());
    one.limits.overlap = static_cast<std::uint32_t>(64 + length());
    one.limits.overlap_long = static_cast<std::uint32_t>(64 + length());
    one.limits.overlap_to = length();
    one.limits.read_while_written = length();
    one.limits.tell_every = 1 + length();
    one.limits.far_ahead = length();
    one.message.unit = 1 + below(below(2) == 0 ? 16 : one.limits.fragment);
    one.message.bytes = one.message.unit * (1 + length() / one.message.unit);
    one.message.lane = below(2) == 0 ? Lane::collective : Lane::mailbox;
    one.message.beside = static_cast<Beside>(below(3));
    one.processors = static_cast<Processors>(below(2));
    return one;
  }

 private:
  std::mt19937_64 random_{7};
};

TEST_F(CutAtRandom, PacketsCoverTheMessageAndKeepUnitsAndLimits) {
  for (int turn = 0; turn < 100'000; ++turn) {
    const auto [message, limits, processors] = draw();
    const Cutting one = cut(message, limits, processors);
    ASSERT_GE(one.packet, std::min(message.unit, message.bytes));
    ASSERT_GE(one.told_after, 1U);
    ASSERT_LE(one.told_after, one.packet);
    if (message.lane == Lane::mailbox) {
      ASSERT_EQ(one.packet, message.bytes) << "the receiver finds it in one buffer";
      continue;
    }
    ASSERT_EQ(one.packet % message.unit, 0U);
    ASSERT_LE(one.packet, limits.fragment);
    ASSERT_GT(one.packet + message.unit,
              std::min({limits.overlap, limits.overlap_long, limits.fragment}))
        << "packets are as long as they may be";
  }
}

TEST_F(CutAtRandom, OnlyAMessageThatNothingDelaysIsToldInPartsEarly) {
  for (int turn = 0; turn < 100'000; ++turn) {
    const auto [message, limits, processors] = draw();
    const Cutting one = cut(message, limits, processors);
    const bool early = message.lane == Lane::mailbox ? one.told_after < message.bytes
                                                     : one.packet + message.unit <= limits.fragment;
    if (!early) continue;
    ASSERT_EQ(message.beside, Beside::nothing);
    ASSERT_TRUE(message.lane == Lane::collective || processors == Processors::enough);
  }
}

TEST_F(CutAtRandom, WhereProcessorsAreFewASenderGoesOnUntilAllIsSentOrItIsFarAhead) {
  for (int turn = 0; turn < 100'000; ++turn) {
    const auto [message, limits, processors] = draw();
    const Cutting one = cut(message, limits, processors);
    const bool few = processors == Processors::few;
    if (message.lane == Lane::mailbox) {
      ASSERT_EQ(one.most_ahead, few ? limits.far_ahead : ~std::uint64_t{0});
      ASSERT_TRUE(one.whole || !few);
    } else {
      ASSERT_EQ(one.whole, few && message.beside != Beside::receives);
    }
  }
}

TEST(Cutting, FollowsTheTuningTable) {
  const base::Tuning tuning;
  const CutLimits limits = CutLimits::of(tuning);
  const auto packet = [&](std::uint64_t bytes, Beside beside) {
    return cut({.bytes = bytes, .unit = 8, .beside = beside}, limits, Processors::enough).packet;
  };
  EXPECT_EQ(packet(limits.fragment, Beside::nothing), static_cast<std::uint64_t>(tuning.overlap));
  EXPECT_EQ(packet(limits.fragment, Beside::sends), limits.fragment);
  EXPECT_EQ(packet(limits.fragment + 8, Beside::nothing), limits.fragment);
  const auto told_after = [&](std::uint64_t bytes) {
    return cut({.bytes = bytes, .lane = Lane::mailbox}, limits, Processors::enough).told_after;
  };
  const auto from = static_cast<std::uint64_t>(tuning.read_while_written);
  EXPECT_EQ(told_after(from), static_cast<std::uint64_t>(tuning.tell_every));
  EXPECT_EQ(told_after(from - 1), from - 1);
}

}  // namespace
}  // namespace tutti::transport
