// SPDX-License-Identifier: BSD-3-Clause
// Tests long messages without packets between two endpoints: each place where their whole may lie,
// offers that do not fit, offers that are taken back, and both ends at work at once.
#include "transport/handover.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "transport/shm/handover.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/reach.hpp"
#include "transport/shm/transport.hpp"

namespace tutti::transport::shm {
namespace {

constexpr std::uint64_t whole = 1 << 20;
constexpr Label the_label{77, 5};

class HandoverTest : public testing::Test {
 protected:
  HandoverTest() {
    for (int slot = 0; slot < 2; ++slot) {
      mapping.endpoint(slot).pid.put(::getpid());
      mapping.endpoint(slot).presence.put(Presence::attached);
    }
    for (std::uint64_t i = 0; i < whole; ++i) own[0][i] = lent[0][i] = byte_at(i);
    EXPECT_TRUE(out.ready());
    out.post_inline({}, nullptr, 0);  // makes the ring
    EXPECT_NE(in.peek(), nullptr);
    in.pop();
  }
  static std::byte byte_at(std::uint64_t i) { return static_cast<std::byte>(i * 31 + i / 251); }
  std::byte* memory() { return mapping.at<std::byte>(Heap(mapping).allocate(whole).value()); }
  void permit() {
    for (int slot = 0; slot < 2; ++slot) mapping.endpoint(slot).kept_at_end.put(1);
  }
  static LongMessage message(std::uint64_t first = 0) { return {the_label, whole, first}; }
  bool hand_over(const std::byte* from, bool one_way, std::uint64_t done = 0,
                 std::uint64_t first = 0) {
    return out.hand_over({message(first), from, done, 100'000, one_way}) == HandedOver::yes;
  }
  // Takes the message at the reader into `to`, piece by piece or part by part. The sender helps
  // meanwhile. Returns in how many parts it came as packets.
  int take(std::byte* to) {
    int parts = 0;
    std::uint64_t got = 0;
    EXPECT_NE(in.peek(), nullptr);
    if (in.peek()->handed_over) {
      while (in.take_part() != Look::done) static_cast<void>(out.help());
      in.pop();
    } else {
      for (; got < whole; ++parts) {
        const Packet& packet = *in.peek();
        std::memcpy(to + got, packet.payload, packet.bytes);
        got += packet.bytes;
        in.pop();
      }
    }
    EXPECT_EQ(out.help(), Helped::done);
    EXPECT_EQ(in.peek(), nullptr);
    return parts;
  }
  void expect_packets();
  using End = std::function<void(Taking&, HandoverSlot&, Reach&)>;
  void expect_wait(const std::byte* from, const End& end);
  static bool has_come(const std::byte* to) {
    for (std::uint64_t i = 0; i < whole; ++i)
      if (to[i] != byte_at(i)) return false;
    return true;
  }

  Mapping mapping = Mapping::create({.world_size = 2, .unsupervised = true});
  ShmTransport sender{mapping, 0}, reader{mapping, 1};
  Channel& out = sender.channel(1);
  Channel& in = reader.channel(0);
  std::vector<std::byte> own[2] = {std::vector<std::byte>(whole), std::vector<std::byte>(whole)};
  std::byte* lent[2] = {memory(), memory()};
};

TEST_F(HandoverTest, WithoutAnOfferPacketsGo) {
  permit();
  EXPECT_FALSE(hand_over(own[0].data(), true));
  EXPECT_FALSE(hand_over(lent[0], false));
  EXPECT_EQ(out.hand_over({message(), lent[0], 0, 4096, false}), HandedOver::soon)
      << "an offer would make it possible";
}

TEST_F(HandoverTest, FromAndToEachMemoryOneWay) {
  permit();
  for (const std::byte* from :
       {static_cast<const std::byte*>(own[0].data()), static_cast<const std::byte*>(lent[0])}) {
    for (std::byte* to : {own[1].data(), lent[1]}) {
      std::memset(to, 0, whole);
      in.offer({message(), to, true});
      ASSERT_TRUE(hand_over(from, true));
      EXPECT_EQ(take(to), 0);
      EXPECT_TRUE(has_come(to));
    }
  }
}

TEST_F(HandoverTest, WithoutPermissionOnlyWhereTheSegmentHelps) {
  in.offer({message(), own[1].data(), true});
  EXPECT_FALSE(hand_over(own[0].data(), true));
  ASSERT_TRUE(hand_over(lent[0], true));
  EXPECT_EQ(take(own[1].data()), 11) << "it is read in place, in parts";
  EXPECT_TRUE(has_come(own[1].data()));
  in.offer({message(), lent[1], true});
  ASSERT_TRUE(hand_over(own[0].data(), true));
  EXPECT_EQ(take(lent[1]), 0);
  EXPECT_TRUE(has_come(lent[1]));
}

// Each of the two has a message of its own to read, so neither copies for the other.
TEST_F(HandoverTest, AnExchangeIsReadInPlaceOrNotAtAll) {
  permit();
  in.offer({message(), own[1].data(), true});
  EXPECT_FALSE(hand_over(own[0].data(), false));
  ASSERT_TRUE(hand_over(lent[0], false));
  EXPECT_GT(take(own[1].data()), 1);
  EXPECT_TRUE(has_come(own[1].data()));
}

TEST_F(HandoverTest, WhatIsCombinedIsReadInPlace) {
  permit();
  in.offer({message(), nullptr, true});
  EXPECT_FALSE(hand_over(own[0].data(), true));
  ASSERT_TRUE(hand_over(lent[0], true));
  EXPECT_GT(take(own[1].data()), 1);
  EXPECT_TRUE(has_come(own[1].data()));
}

TEST_F(HandoverTest, TheRestOfAMessage) {
  permit();
  constexpr std::uint32_t part = 50'000;
  in.offer({message(), own[1].data(), true});
  const Lent fragment = sender.acquire(part, 1, 1);
  ASSERT_NE(fragment.data, nullptr);
  std::memcpy(fragment.data, own[0].data(), part);
  const std::uint64_t first = out.post(the_label, whole, fragment, part);
  ASSERT_TRUE(hand_over(own[0].data(), true, part, first));
  std::memcpy(own[1].data(), in.peek()->payload, part);
  EXPECT_EQ(in.peek()->number, first);
  in.pop();
  EXPECT_EQ(take(own[1].data()), 0);
  EXPECT_TRUE(has_come(own[1].data()));
}

// Two messages of one operation are alike but for the packet that they begin with.
TEST_F(HandoverTest, AnOfferIsForOneMessageOnly) {
  permit();
  in.offer({message(), own[1].data(), true});
  ASSERT_TRUE(out.ready());
  out.post_inline(the_label, nullptr, 0);  // another message comes first
  EXPECT_FALSE(hand_over(own[0].data(), true));
  in.offer({{the_label, whole - 1, 0}, own[1].data(), true});
  EXPECT_FALSE(hand_over(own[0].data(), true)) << "another length";
  in.offer({{Label{78, 5}, whole, 0}, own[1].data(), true});
  EXPECT_FALSE(hand_over(own[0].data(), true)) << "another operation";
  in.pop();
  in.offer({message(), own[1].data(), true});
  EXPECT_TRUE(hand_over(own[0].data(), true));
  EXPECT_EQ(take(own[1].data()), 0);
  EXPECT_TRUE(has_come(own[1].data()));
}

TEST_F(HandoverTest, AReceiverThatDoesNotWaitIsNotWaitedFor) {
  in.offer({message(), nullptr, false});
  EXPECT_FALSE(hand_over(lent[0], true)) << "the sender would wait until it is read";
  permit();
  in.offer({message(), own[1].data(), false});
  ASSERT_TRUE(hand_over(own[0].data(), true));
  while (out.help() != Helped::done) continue;
  EXPECT_TRUE(has_come(own[1].data())) << "the sender alone has copied all";
  EXPECT_EQ(take(own[1].data()), 0);
}

TEST_F(HandoverTest, AWithdrawnOfferIsNotAccepted) {
  permit();
  in.offer({message(), own[1].data(), true});
  in.withdraw(own[1].data());
  EXPECT_FALSE(hand_over(own[0].data(), true));
  in.offer({message(), own[1].data(), true});
  in.withdraw(lent[1]);
  EXPECT_TRUE(hand_over(own[0].data(), true)) << "that was the offer of another receive";
}

TEST_F(HandoverTest, NobodyWritesAfterAReceiverHasGivenUp) {
  permit();
  in.offer({message(), own[1].data(), true});
  ASSERT_TRUE(hand_over(own[0].data(), true));
  EXPECT_EQ(out.help(), Helped::progress);
  in.withdraw(own[1].data());
  const std::vector<std::byte> before = own[1];
  EXPECT_EQ(out.help(), Helped::done) << "the message is not wanted any more";
  EXPECT_EQ(own[1], before);
}

// No process has memory at so low an address as that of the message here.
TEST_F(HandoverTest, WhatTheSenderCannotCopyGoesInPackets) {
  permit();
  in.offer({message(), own[1].data(), true});
  ASSERT_TRUE(hand_over(reinterpret_cast<const std::byte*>(64), true));
  EXPECT_EQ(out.help(), Helped::returned);
  ASSERT_NE(in.peek(), nullptr);
  EXPECT_EQ(in.take_part(), Look::progress);
  expect_packets();
  EXPECT_FALSE(hand_over(own[0].data(), true)) << "it cannot copy to this peer";
}

// The packet that has told of the message is one without bytes.
void HandoverTest::expect_packets() {
  ASSERT_NE(in.peek(), nullptr);
  EXPECT_FALSE(in.peek()->handed_over);
  EXPECT_EQ(in.peek()->bytes, 0u);
  in.pop();
  in.offer({message(), own[1].data(), true});
}

TEST_F(HandoverTest, WhatTheReceiverCannotCopyGoesInPackets) {
  permit();
  in.offer({message(), own[1].data(), true});
  ASSERT_TRUE(hand_over(reinterpret_cast<const std::byte*>(64), true));
  ASSERT_NE(in.peek(), nullptr);
  EXPECT_EQ(in.take_part(), Look::progress);
  EXPECT_EQ(out.help(), Helped::returned);
  expect_packets();
}

// The sender has claimed a piece and copies it slowly. `end` is called at the receiver meanwhile,
// and must not return before the piece is counted.
void HandoverTest::expect_wait(const std::byte* from, const End& end) {
  permit();
  HandoverSlot& slot = mapping.endpoint(1).mail;
  Taking taking(mapping);
  Handing handing(mapping, 0);
  Reach to_sender(mapping, 1, 0), to_reader(mapping, 0, 1);
  taking.offer(
      slot,
      {.label = the_label, .most = whole, .to = own[1].data(), .waits = true, .reaches = true});
  const Rest rest{.message = message(), .from = from, .one_way = true};
  ASSERT_NE(handing.accept(slot, rest, 0, to_reader).kind, 0u);
  slot.claims.publish(slot.claims.see() + 1);
  std::atomic<bool> counted = false;
  std::thread copies([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    counted = true;
    slot.written.publish(1);
  });
  end(taking, slot, to_sender);
  EXPECT_TRUE(counted.load());
  copies.join();
}

TEST_F(HandoverTest, AReceiverThatGivesUpWaitsForThePieceInHand) {
  expect_wait(own[0].data(), [](Taking& taking, HandoverSlot& slot, Reach&) {
    EXPECT_FALSE(taking.withdraw(slot));
  });
}

TEST_F(HandoverTest, AReceiverThatCannotCopyWaitsForThePieceInHand) {
  expect_wait(reinterpret_cast<const std::byte*>(64),
              [](Taking& taking, HandoverSlot& slot, Reach& from) {
                EXPECT_EQ(taking.copy(slot, from), Look::nothing);
                EXPECT_TRUE(taking.has_failed(slot));
              });
}

TEST_F(HandoverTest, ASenderThatGivesUpTellsItsReceiver) {
  permit();
  in.offer({message(), own[1].data(), true});
  ASSERT_TRUE(hand_over(own[0].data(), true));
  EXPECT_EQ(out.help(), Helped::progress);
  out.give_up();
  ASSERT_NE(in.peek(), nullptr);
  EXPECT_THROW(static_cast<void>(in.take_part()), base::Error);
}

TEST_F(HandoverTest, AProcessThatHasEndedIsNotTouched) {
  permit();
  in.offer({message(), own[1].data(), true});
  ASSERT_TRUE(hand_over(own[0].data(), true));
  mapping.endpoint(1).presence.put(Presence::dead);
  EXPECT_EQ(out.help(), Helped::returned);
  EXPECT_FALSE(has_come(own[1].data()));
  mapping.endpoint(0).reaches.put(2);
  EXPECT_TRUE(is_reached(mapping, 1)) << "its id must not be used again yet";
  mapping.endpoint(0).reaches.put(0);
  EXPECT_FALSE(is_reached(mapping, 1));
}

// Both ends at work on processors of their own, hundreds of messages, each checked. The next offer
// follows while the sender may still look at the last one.
TEST_F(HandoverTest, BothEndsAtOnce) {
  permit();
  constexpr int rounds = 300;
  constexpr std::uint64_t part = 256 << 10;
  std::thread writes([&] {
    for (int i = 0; i < rounds; ++i) {
      std::memset(own[0].data(), i % 255 + 1, part);
      const Rest rest{{the_label, part, 0}, own[0].data(), 0, 4096, true};
      while (out.hand_over(rest) != HandedOver::yes) std::this_thread::yield();
      while (out.help() != Helped::done) std::this_thread::yield();
    }
  });
  for (int i = 0; i < rounds; ++i) {
    in.offer({{the_label, part, 0}, own[1].data(), true});
    while (in.peek() == nullptr) std::this_thread::yield();
    while (in.take_part() != Look::done) std::this_thread::yield();
    in.pop();
    const auto expected = static_cast<std::byte>(i % 255 + 1);
    for (std::uint64_t k = 0; k < part; k += 1000) ASSERT_EQ(own[1][k], expected) << i;
    ASSERT_EQ(own[1][part - 1], expected);
    std::memset(own[1].data(), 0, part);
  }
  writes.join();
}

}  // namespace
}  // namespace tutti::transport::shm
