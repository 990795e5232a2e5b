// SPDX-License-Identifier: BSD-3-Clause
// Tests a channel to a task that has ended, whose slot may have another task by now, waits of which
// one process has left, and who may sleep in a wait.
#include <gtest/gtest.h>

#include <array>
#include <span>

#include "base/error.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/transport.hpp"

namespace tutti::transport::shm {
namespace {

class StaleChannel : public testing::Test {
 protected:
  int start() {
    const int id = slots.take(0);
    mapping.endpoint(slot_of(id)).presence.publish(Presence::attached);
    return id;
  }
  bool end(int id) {
    mapping.endpoint(slot_of(id)).presence.show(Presence::finalized);
    note_departure(mapping, slot_of(id));
    return slots.vacate(slot_of(id));
  }
  static void expect_left(Channel& channel) {
    try {
      (void)channel.ready();
      ADD_FAILURE() << "there is nobody";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.status(), base::Status::peer_left);
    }
  }

  const Mapping mapping = Mapping::create({});
  Slots slots{mapping};
  ShmTransport transport{mapping, 0};
};

TEST_F(StaleChannel, SendsNothingToTheNextProcess) {
  const int first = start();
  Channel& stale = transport.channel(first);
  ASSERT_TRUE(end(first)) << "they have not exchanged anything";
  expect_left(stale);
  const int second = start();
  ASSERT_EQ(slot_of(second), slot_of(first));
  expect_left(stale);

  ShmTransport next(mapping, slot_of(second));
  Channel& channel = transport.channel(second);
  ASSERT_TRUE(channel.ready());
  const int value = 7;
  channel.post_inline(1, &value, sizeof value);
  expect_left(stale);
  ASSERT_NE(next.channel(0).peek(), nullptr);
  EXPECT_EQ(next.channel(0).peek()->label, 1U);
}

TEST_F(StaleChannel, ReceivesNothingFromTheNextProcess) {
  const int first = start();
  Channel& stale = transport.channel(first);
  ASSERT_TRUE(end(first));
  const int second = start();
  ShmTransport next(mapping, slot_of(second));
  ASSERT_TRUE(next.channel(0).ready());
  next.channel(0).post_inline(1, &first, sizeof first);
  EXPECT_EQ(stale.peek(), nullptr);
  EXPECT_NE(transport.channel(second).peek(), nullptr);
  EXPECT_EQ(stale.peek(), nullptr);
}

TEST_F(StaleChannel, MakesNoContactWithOneThatHasEnded) {
  const int first = start();
  Channel& stale = transport.channel(first);
  mapping.endpoint(slot_of(first)).presence.show(Presence::finalized);
  expect_left(stale);
  EXPECT_TRUE(slots.vacate(slot_of(first))) << "nothing was left there";
}

class Leaver : public testing::Test {
 protected:
  static SegmentOptions three_without_supervisor() {
    SegmentOptions options;
    options.world_size = 3;
    options.unsupervised = true;
    return options;
  }
  void leave(int slot) {
    mapping.endpoint(slot).presence.show(Presence::finalized);
    note_departure(mapping, slot);
  }
  void idle(std::span<const int> awaited) {
    transport.idler().idle(turn++, {.endpoints = awaited});
  }

  const Mapping mapping = Mapping::create(three_without_supervisor());
  ShmTransport transport{mapping, 0};
  int turn = transport.idler().spin_turns();
  const std::array<int, 2> others{1, 2};
};

// The poll between two calls of idle() may take all that the process has sent before it left.
TEST_F(Leaver, IsNotMissedOnceOnlyOthersAreAwaited) {
  leave(2);
  idle(others);
  for (int i = 0; i < 10; ++i) idle(std::span(others).first(1));
}

TEST_F(Leaver, IsReportedWhileItIsAwaited) {
  leave(2);
  idle(others);
  EXPECT_THROW(idle(others), base::Error);
  transport.idler().awake();
  idle(others);
  EXPECT_THROW(idle(std::span(others).last(1)), base::Error);
}

// A process sleeps only if those that it waits for wake it.
TEST_F(Leaver, WhoeverIsNotWokenNeverSleeps) {
  const auto sleeps = [&](bool is_woken) {
    for (int i = 0; i < 5000; ++i) {
      transport.idler().idle(turn++, {.endpoints = others, .is_woken = is_woken});
      if (mapping.endpoint(0).waiter.see() != 0) return true;
    }
    return false;
  };
  EXPECT_FALSE(sleeps(false));
  EXPECT_TRUE(sleeps(true));
  transport.idler().awake();
  EXPECT_EQ(mapping.endpoint(0).waiter.see(), 0U);
}

}  // namespace
}  // namespace tutti::transport::shm
