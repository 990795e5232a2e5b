// SPDX-License-Identifier: BSD-3-Clause
// Tests which message a receive of the mailbox takes, and the order of messages. No receive has to
// wait, so all endpoints are in one thread.
#include "endpoints.hpp"

namespace tutti::services::test {
namespace {

TEST(MailboxMatching, KeepsTheOrderOfAPairWhateverTheSizes) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  const std::uint64_t sizes[] = {0, 1, 8, 39, 40, 41, 256, 4096, 70'000, 300'000};
  for (int turn = 0; turn < 3; ++turn) {
    unsigned seed = 0;
    for (const std::uint64_t bytes : sizes) sender.send_bytes({1}, 5, bytes, ++seed);
    seed = 0;
    for (const std::uint64_t bytes : sizes) receiver.receive_bytes(from(0), bytes, ++seed);
    EXPECT_EQ(receiver.mailbox.look(from(0)), nullptr);
  }
}

TEST(MailboxMatching, AnEndpointMaySendToItself) {
  const Mapping mapping = make_segment(1);
  Member self(mapping, 0);
  self.send({0}, 1, 11);
  self.send_bytes({0}, 2, 1000, 3);
  self.receive_bytes(from(0, 2), 1000, 3);
  EXPECT_EQ(self.receive(from(any_source)), 11);
}

TEST(MailboxMatching, WildcardTakesFromEverySourceInTheOrderOfEach) {
  const Mapping mapping = make_segment(4);
  Member a(mapping, 0), b(mapping, 1), c(mapping, 2), receiver(mapping, 3);
  EXPECT_EQ(receiver.mailbox.look(from(any_source)), nullptr);
  Member* senders[] = {&a, &b, &c};
  for (int i = 0; i < 10; ++i) {
    for (int s = 0; s < 3; ++s) senders[s]->send({3}, 0, 100 * s + i);
  }
  int next[3] = {};
  for (int i = 0; i < 30; ++i) {
    const Arrival& arrival = receiver.mailbox.wait(from(any_source));
    const int source = arrival.source;
    ASSERT_TRUE(source >= 0 && source < 3);
    EXPECT_EQ(Member::value_of(arrival), 100 * source + next[source]++);
    receiver.mailbox.take();
  }
  EXPECT_EQ(receiver.mailbox.look(from(any_source)), nullptr);
}

TEST(MailboxMatching, KeyAndMaskChoose) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  for (const int key : {0x11, 0x12, 0x21, 0x12})
    sender.send({1}, static_cast<std::uint64_t>(key), key);
  EXPECT_EQ(receiver.mailbox.look(from(0, 0x33)), nullptr);
  EXPECT_EQ(receiver.receive(from(0, 0x20, 0xf0)), 0x21);
  EXPECT_EQ(receiver.receive(from(any_source, 0x02, 0x0f)), 0x12);
  EXPECT_EQ(receiver.receive(from(0)), 0x11);
  EXPECT_EQ(receiver.receive(from(0, 0x12)), 0x12);
  EXPECT_EQ(receiver.mailbox.look(from(any_source)), nullptr);
}

TEST(MailboxMatching, AcceptChoosesByTheMessage) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  for (const int value : {3, 8, 5, 8}) sender.send({1}, 0, value);
  std::int64_t wanted = 8;
  Match match = from(any_source);
  match.accept = [](void* user, const Arrival& arrival) {
    return Member::value_of(arrival) == *static_cast<std::int64_t*>(user);
  };
  match.user = &wanted;
  EXPECT_EQ(receiver.receive(match), 8);
  wanted = 5;
  EXPECT_EQ(receiver.receive(match), 5);
  wanted = 7;
  EXPECT_EQ(receiver.mailbox.look(match), nullptr);
  EXPECT_EQ(receiver.receive(from(0)), 3);
  EXPECT_EQ(receiver.receive(from(0)), 8);
}

TEST(MailboxMatching, LookLeavesTheMessageUntilItIsTaken) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  sender.send({1}, 1, 10);
  sender.send_bytes({1}, 2, 100, 4);
  sender.send({1}, 3, 30);
  for (int turn = 0; turn < 3; ++turn) {
    const Arrival* arrival = receiver.mailbox.look(from(0));
    ASSERT_NE(arrival, nullptr);
    EXPECT_EQ(Member::value_of(*arrival), 10);
  }
  // A look at another message that is not taken either must not change the order.
  const Arrival* other = receiver.mailbox.look(from(0, 3));
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(Member::value_of(*other), 30);
  EXPECT_EQ(Member::value_of(receiver.mailbox.wait(from(any_source))), 10);
  receiver.mailbox.take();
  const Arrival* buffer = receiver.mailbox.look(from(0));
  ASSERT_NE(buffer, nullptr);
  EXPECT_TRUE(Member::holds(*buffer, 100, 4));
  EXPECT_EQ(receiver.mailbox.look(from(0, 99)), nullptr);
  receiver.receive_bytes(from(0), 100, 4);
  EXPECT_EQ(receiver.receive(from(0)), 30);
  EXPECT_EQ(receiver.mailbox.look(from(0)), nullptr);
}

TEST(MailboxMatching, MulticastReachesEachReceiverOnce) {
  const Mapping mapping = make_segment(4);
  Member sender(mapping, 0), b(mapping, 1), c(mapping, 2), d(mapping, 3);
  sender.send({1, 2, 3}, 7, 70);
  sender.send_bytes({3, 1, 2}, 7, 5000, 9);
  sender.send({}, 7, 1);
  sender.send_bytes({}, 7, 5000, 1);
  for (Member* receiver : {&b, &c, &d}) {
    EXPECT_EQ(receiver->receive(from(0)), 70);
    receiver->receive_bytes(from(0), 5000, 9);
    EXPECT_EQ(receiver->mailbox.look(from(any_source)), nullptr);
  }
  EXPECT_TRUE(sender.post.unreceived().empty());
}

// Processes map the segment at different addresses.
TEST(MailboxMatching, NoAddressIsShared) {
  const Mapping mapping = make_segment(2);
  const Mapping second = Mapping::open(mapping.descriptor());
  ASSERT_NE(&mapping.header(), &second.header());
  Member sender(mapping, 0), receiver(second, 1);
  for (int i = 0; i < 200; ++i) {
    sender.send({1}, 1, i);
    sender.send_bytes({1}, 2, 1000, 5);
  }
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(receiver.receive(from(0, 1)), i);
    receiver.receive_bytes(from(any_source, 2), 1000, 5);
  }
  EXPECT_TRUE(sender.post.unreceived().empty());
}

}  // namespace
}  // namespace tutti::services::test
