// SPDX-License-Identifier: BSD-3-Clause
// Tests the transport that keeps packets while a process waits, so that no sender waits for room.
#include "transport/timed/draining.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace tutti::timed {
namespace {

using transport::shm::Mapping;
using transport::shm::ShmTransport;

Mapping mapping_of(int ranks) {
  Mapping mapping = Mapping::create({.world_size = static_cast<std::uint32_t>(ranks)});
  for (int rank = 0; rank < ranks; ++rank)
    mapping.endpoint(rank).presence.publish(transport::shm::Presence::attached);
  return mapping;
}

class Draining : public testing::Test {
 protected:
  static std::vector<unsigned char> bytes_of(std::uint64_t number) {
    std::vector<unsigned char> bytes(number % 3 == 0 ? 5000 + number % 100 : number % 41);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<unsigned char>(number * 31 + i);
    return bytes;
  }
  // Sends the packet of this number. Returns false if there is no room.
  static bool send(ShmTransport& from, int to, std::uint64_t number) {
    transport::Channel& channel = from.channel(to);
    if (!channel.ready()) return false;
    const auto bytes = bytes_of(number);
    const auto count = static_cast<std::uint32_t>(bytes.size());
    if (count <= transport::most_inline) {
      channel.post_inline(number, bytes.data(), count);
      return true;
    }
    const transport::Lent lent = from.acquire(count, 1, to);
    if (lent.data == nullptr) return false;
    std::memcpy(lent.data, bytes.data(), count);
    channel.post(number, count, lent, count);
    return true;
  }
  static void expect_is(const transport::Packet* packet, std::uint64_t number) {
    ASSERT_NE(packet, nullptr);
    const auto bytes = bytes_of(number);
    EXPECT_EQ(packet->label, number);
    ASSERT_EQ(packet->bytes, bytes.size());
    if (!bytes.empty()) {
      EXPECT_EQ(std::memcmp(packet->payload, bytes.data(), bytes.size()), 0);
    }
  }
  // Lets the process wait for a moment, in which something has come.
  void wait() {
    transport::WaitInfo info;
    info.or_more = true;
    draining.idler().idle(draining.idler().spin_turns(), info);
    draining.idler().awake();
  }

  const Mapping mapping = mapping_of(3);
  ShmTransport own{mapping, 0}, near{mapping, 1}, far{mapping, 2};
  DrainingTransport draining{own};
};

TEST_F(Draining, LeavesPacketsWhileNobodyWaits) {
  ASSERT_TRUE(send(near, 0, 1));
  const transport::Packet* const packet = draining.channel(1).peek();
  expect_is(packet, 1);
  EXPECT_EQ(draining.channel(1).peek(), packet);
  draining.channel(1).pop();
  EXPECT_EQ(draining.channel(1).peek(), nullptr);
}

TEST_F(Draining, KeepsAPacketWhereItWasSeen) {
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{3}}) {
    ASSERT_TRUE(send(near, 0, number));
    transport::Channel& channel = draining.channel(1);
    const transport::Packet* const packet = channel.peek();
    expect_is(packet, number);
    ASSERT_TRUE(send(near, 0, 6));
    wait();
    for (std::uint64_t i = 0; i < 10; ++i) ASSERT_TRUE(send(near, 0, i));
    EXPECT_EQ(channel.peek(), packet);
    expect_is(packet, number);
    wait();
    expect_is(packet, number);
    channel.pop();
    expect_is(channel.peek(), 6);
    channel.pop();
    for (std::uint64_t i = 0; i < 10; ++i) {
      expect_is(channel.peek(), i);
      channel.pop();
    }
    EXPECT_EQ(channel.peek(), nullptr);
  }
}

TEST_F(Draining, GivesSendersRoom) {
  constexpr std::uint64_t many = 3000;
  std::uint64_t waits = 0;
  for (std::uint64_t i = 0; i < many; ++i)
    for (ShmTransport* const sender : {&near, &far})
      for (; !send(*sender, 0, i); ++waits) wait();
  EXPECT_GT(waits, 0U) << "there was always room";
  for (const int sender : {1, 2}) {
    transport::Channel& channel = draining.channel(sender);
    for (std::uint64_t i = 0; i < many; ++i) {
      expect_is(channel.peek(), i);
      channel.pop();
    }
    EXPECT_EQ(channel.peek(), nullptr);
  }
}

TEST_F(Draining, KeepsTheOrderHoweverItIsDrained) {
  std::mt19937 random(3);
  std::uint64_t sent = 0, seen = 0;
  transport::Channel& channel = draining.channel(1);
  while (seen < 20'000) {
    const unsigned act = random() % 8;
    if (act < 4 && send(near, 0, sent)) ++sent;
    if (act == 4 && sent > seen) wait();
    if (act > 4 && sent > seen) {
      const transport::Packet* const packet = channel.peek();
      if (act == 6) wait();
      expect_is(packet, seen++);
      channel.pop();
    }
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(Draining, SendsAsTheTransportBelow) {
  transport::Channel& channel = draining.channel(2);
  EXPECT_EQ(channel.peer(), 2);
  ASSERT_TRUE(channel.ready());
  const int value = 7;
  channel.post_inline(5, &value, sizeof value);
  const transport::Packet* const packet = far.channel(0).peek();
  ASSERT_NE(packet, nullptr);
  EXPECT_EQ(std::memcmp(packet->payload, &value, sizeof value), 0);
}

}  // namespace
}  // namespace tutti::timed
