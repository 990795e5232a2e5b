// SPDX-License-Identifier: BSD-3-Clause
// Tests fragments of a sender: they are free again when all their readers have taken them, and not
// before.
#include "transport/shm/transport.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <string>

namespace tutti::transport::shm {
namespace {

// The parameter tells whether processes outnumber processors.
class SenderAndTwoReaders : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { mapping.header().cpus.put(GetParam() ? 1 : 3); }

  // Returns true if there was room. The fragment holds its number.
  bool send(std::uint64_t number, std::uint32_t bytes, const std::vector<int>& to) {
    for (const int reader : to) {
      if (!sender.channel(reader).ready()) return false;
    }
    const Lent fragment = sender.acquire(bytes, static_cast<std::uint32_t>(to.size()), to[0]);
    if (fragment.data == nullptr) return false;
    std::fill_n(fragment.data, bytes, static_cast<std::byte>(number));
    for (const int reader : to) sender.channel(reader).post(number, bytes, fragment, bytes);
    return true;
  }
  std::uint64_t send_until_refused(std::uint64_t number, const std::vector<int>& to) {
    while (send(number, fragment_bytes, to)) ++number;
    return number;
  }
  static void take(ShmTransport& reader, std::uint64_t number) {
    Channel& channel = reader.channel(0);
    const Packet* packet = channel.peek();
    ASSERT_NE(packet, nullptr) << number;
    ASSERT_EQ(packet->label, number);
    const auto* end = packet->payload + packet->bytes;
    EXPECT_EQ(std::count(packet->payload, end, static_cast<std::byte>(number)), packet->bytes)
        << number;
    channel.pop();
  }

  const Mapping mapping =
      Mapping::create({.world_size = 3, .unsupervised = true, .tuning = base::Tuning()});
  ShmTransport sender{mapping, 0}, one{mapping, 1}, two{mapping, 2};
  // The caches of this machine determine the size of the arena. The arena is full before a channel
  // is, which holds 64 messages.
  const std::uint32_t fragment_bytes =
      std::max(60'000U, static_cast<std::uint32_t>(mapping.tuning().fragment_ring) / 40);
};

// Two fragments are taken before one is sent, because the rest at the end of the ring may be lost.
TEST_P(SenderAndTwoReaders, RoomComesBackWithTheFragmentsTaken) {
  std::uint64_t sent = send_until_refused(0, {1}), taken = 0;
  EXPECT_GT(sent, 20U);
  EXPECT_LE(sent * fragment_bytes, static_cast<std::uint64_t>(mapping.tuning().fragment_ring));
  for (int turn = 0; turn < 100; ++turn) {
    take(one, taken++);
    take(one, taken++);
    ASSERT_TRUE(send(sent, fragment_bytes, {1}));
    sent = send_until_refused(sent + 1, {1});
  }
}

TEST_P(SenderAndTwoReaders, AFragmentIsHeldByTheSlowestOfItsReaders) {
  const std::uint64_t sent = send_until_refused(0, {1, 2});
  for (std::uint64_t number = 0; number < sent; ++number) take(one, number);
  EXPECT_FALSE(send(sent, fragment_bytes, {1}));
  for (std::uint64_t number = 0; number < sent; ++number) take(two, number);
  EXPECT_TRUE(send(sent, fragment_bytes, {1, 2}));
}

TEST_P(SenderAndTwoReaders, WhatNobodyWasGivenIsFree) {
  for (int i = 0; i < 1000; ++i) ASSERT_NE(sender.acquire(fragment_bytes, 1, 1).data, nullptr);
}

// Memory that was just read is used again at once if several processes share the caches. Otherwise
// it rests.
TEST_P(SenderAndTwoReaders, WhereProcessesTakeTurnsAnEmptyRingBeginsAnew) {
  std::set<std::uint64_t> places;
  for (std::uint64_t number = 0; number < 200; ++number) {
    ASSERT_TRUE(send(number, fragment_bytes, {1}));
    places.insert(mapping.offset_of(one.channel(0).peek()->payload));
    take(one, number);
  }
  const std::uint64_t used = *places.rbegin() + fragment_bytes - *places.begin();
  const auto all = static_cast<std::uint64_t>(mapping.tuning().fragment_ring);
  if (GetParam()) {
    EXPECT_LE(used, all / 8);
  } else {
    EXPECT_GT(used, all - 2 * fragment_bytes);
  }
}

// If readers do not take fragments in time, further ones come from the heap beside the arena. The
// fragment of the last reader is still in use at the end.
TEST_P(SenderAndTwoReaders, AfterAWhileFragmentsComeFromElsewhere) {
  const std::uint64_t sent = send_until_refused(0, {1});
  const int awaited[] = {1};
  const WaitInfo info{.endpoints = awaited};
  Idler& idler = sender.idler();
  const std::int64_t before = mapping.header().reserved_bytes.see();
  for (int turn = idler.spin_turns(); !send(sent, fragment_bytes, {2, 1}); ++turn)
    idler.idle(turn, info);
  idler.awake();
  EXPECT_GT(mapping.header().reserved_bytes.see(), before);
  for (std::uint64_t number = 0; number <= sent; ++number) take(one, number);
}

// While the oldest fragment is not taken, the others need not wait again.
TEST_P(SenderAndTwoReaders, BehindAStalledReaderNobodyWaitsTwice) {
  std::uint64_t sent = send_until_refused(0, {1});
  const auto start = std::chrono::steady_clock::now();
  while (!send(sent, fragment_bytes, {2}) &&
         std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) {
  }
  take(two, sent);
  for (const std::uint64_t three_rings = sent + 120; ++sent < three_rings;) {
    ASSERT_TRUE(send(sent, fragment_bytes, {2}));
    take(two, sent);
  }
}

// A sender that polls instead of waiting gets fragments from the heap, too.
TEST_P(SenderAndTwoReaders, WhoPollsGetsFragmentsFromElsewhereToo) {
  const std::uint64_t sent = send_until_refused(0, {1});
  const auto start = std::chrono::steady_clock::now();
  bool done = false;
  while (!done && std::chrono::steady_clock::now() - start < std::chrono::seconds(20))
    done = send(sent, fragment_bytes, {2, 1});
  EXPECT_TRUE(done);
}

TEST_P(SenderAndTwoReaders, NothingIsOverwrittenBeforeItIsTaken) {
  std::mt19937 random(11);
  std::uint64_t sent = 0;
  base::Fifo<std::uint64_t> waiting[3];
  ShmTransport* const readers[] = {&sender, &one, &two};
  while (sent < 5'000) {
    const std::vector<int> to =
        random() % 3 == 0 ? std::vector{1, 2} : std::vector{1 + static_cast<int>(random() % 2)};
    if (send(sent, 1'025 + static_cast<std::uint32_t>(random() % 64'000), to)) {
      for (const int reader : to) waiting[reader].push_back(sent);
      ++sent;
    }
    for (const int reader : {1, 2}) {
      for (auto count = random() % 3; count > 0 && !waiting[reader].empty(); --count) {
        take(*readers[reader], waiting[reader].front());
        waiting[reader].pop_front();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fragments, SenderAndTwoReaders, testing::Bool(),
                         [](const auto& oversubscribed) {
                           return std::string(oversubscribed.param ? "oversubscribed"
                                                                   : "a_processor_each");
                         });

}  // namespace
}  // namespace tutti::transport::shm
