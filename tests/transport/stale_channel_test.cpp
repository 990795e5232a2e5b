// SPDX-License-Identifier: BSD-3-Clause
// Tests a channel to a task that has ended. Its slot may have another task by now.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/transport.hpp"

namespace tutti::transport::shm {
namespace {

class StaleChannel : public testing::Test {
 protected:
  int start() {
    const int id = slots.take(0);
    mapping.endpoint(slot_of(id)).presence.store(Presence::attached);
    return id;
  }
  bool end(int id) {
    mapping.endpoint(slot_of(id)).presence.store(Presence::finalized);
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
  mapping.endpoint(slot_of(first)).presence.store(Presence::finalized);
  expect_left(stale);
  EXPECT_TRUE(slots.vacate(slot_of(first))) << "nothing was left there";
}

}  // namespace
}  // namespace tutti::transport::shm
