// SPDX-License-Identifier: BSD-3-Clause
// Tests sends that wait until their receivers have room.
#include <atomic>

#include "base/error.hpp"
#include "endpoints.hpp"

namespace tutti::services::test::room {
namespace {

constexpr std::uint64_t kind = 0x100, kind_bits = 0xff00;
constexpr std::uint64_t key = kind | 5;
constexpr std::uint64_t envelope = Bounded::envelope_bytes;
constexpr std::uint64_t long_bytes = 50'000;
// No process with this number was ever in the slot of member 1.
const int nobody = transport::shm::endpoint_id(1, 9);

// A started send whose content does not matter.
struct Started {
  StartedSend send;

  Started(std::vector<int> to, std::uint64_t bytes) {
    send.receivers = std::move(to);
    send.message.key = key;
    send.message.bytes = bytes;
    send.message.fill = [](const void*, std::byte* message, data::Store, std::uint64_t first,
                           std::uint64_t last) { std::memset(message + first, 1, last - first); };
  }
};

void bound_all(std::initializer_list<Member*> members, std::uint64_t bytes) {
  for (Member* member : members)
    member->mailbox.room().bound({kind, {kind_bits, 0}, static_cast<std::int64_t>(bytes)});
}

// Receives a message without a look at its content.
void take_one(Member& receiver, std::uint64_t wanted = key) {
  static_cast<void>(receiver.mailbox.wait(from(any_source, wanted)));
  receiver.mailbox.take();
}

TEST(Room, IsGivenBackWhenTheProgramTakesMessagesAndNotWhenTheyArrive) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  bound_all({&sender, &receiver}, 1000);
  sender.send({1}, key, 1);
  sender.send_bytes({1}, key, 500, 2);
  EXPECT_EQ(sender.mailbox.room().used(1), 8 + 500 + 2 * static_cast<std::int64_t>(envelope));
  EXPECT_EQ(receiver.mailbox.look(from(0, 99)), nullptr) << "both lie in the queue now";
  EXPECT_EQ(sender.mailbox.room().used(1), 8 + 500 + 2 * static_cast<std::int64_t>(envelope));
  take_one(receiver);
  EXPECT_EQ(sender.mailbox.room().used(1), 500 + static_cast<std::int64_t>(envelope));
  take_one(receiver);
  EXPECT_EQ(sender.mailbox.room().used(1), 0);
}

TEST(Room, IsNotNeededByOtherMessages) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  bound_all({&sender, &receiver}, 0);
  for (int i = 0; i < 100; ++i) sender.send({1}, 5, i);
  sender.send_bytes({1}, 5, long_bytes, 1);
  EXPECT_EQ(sender.mailbox.room().used(1), 0);
  Started bounded({1}, 8);
  sender.outbox.start(bounded.send);
  EXPECT_FALSE(bounded.send.done);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(receiver.receive(from(0, 5)), i);
}

TEST(Room, StopsASendUntilTheReceiverHasTakenEnough) {
  const Mapping mapping = make_segment(2);
  std::atomic<int> sent{0};
  constexpr int count = 50, at_once = 4;
  in_threads(2, [&](int id) {
    Member member(mapping, id);
    bound_all({&member}, at_once * (long_bytes + envelope));
    if (id == 0) {
      for (int i = 0; i < count; ++i) {
        member.send_bytes({1}, key, long_bytes, static_cast<unsigned>(i));
        ++sent;
      }
      return;
    }
    for (int i = 0; i < count; ++i) {
      EXPECT_TRUE(holds_soon([&] { return sent >= std::min(count, i + at_once); }));
      EXPECT_TRUE(sent == count || sleeps(mapping, 0));
      EXPECT_LE(sent, i + at_once);
      member.receive_bytes(from(0, key), long_bytes, static_cast<unsigned>(i));
    }
  });
  EXPECT_EQ(sent, count);
}

TEST(Room, IsUsedUpBeyondTheBoundByOneLongMessageWhoseSendEndsWhenItIsTaken) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  bound_all({&sender, &receiver}, 1000);
  Started first({1}, long_bytes), second({1}, 1);
  sender.outbox.start(first.send);
  EXPECT_TRUE(first.send.left);
  EXPECT_FALSE(first.send.done);
  sender.outbox.start(second.send);
  EXPECT_FALSE(second.send.left) << "there is no room";
  take_one(receiver);
  sender.outbox.advance();
  EXPECT_TRUE(first.send.done && second.send.done);
  take_one(receiver);
  EXPECT_FALSE(sender.waiter.progress().busy());
}

TEST(Room, IsNotWaitedForByOtherMessagesBehindASendThatHasLeft) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  bound_all({&sender, &receiver}, 100);
  Started left({1}, long_bytes), other({1}, 8);
  other.send.message.key = 5;
  sender.outbox.start(left.send);
  EXPECT_TRUE(left.send.left && !left.send.done);
  sender.outbox.start(other.send);
  EXPECT_TRUE(other.send.done);
  take_one(receiver);
  take_one(receiver, 5);
}

TEST(Room, IsGivenBackByNoShortcut) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  bound_all({&sender, &receiver}, 1000);
  sender.send({1}, key, 1);
  std::int64_t value = 0;
  EXPECT_FALSE(receiver.mailbox.receive_now(0, key, &value, sizeof value));
  take_one(receiver);
  EXPECT_EQ(sender.mailbox.room().used(1), 0);
}

TEST(Room, IsUsedAtTheReceiversThatWereToldOfASendThatFails) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  bound_all({&sender, &receiver}, 1000);
  constexpr std::int64_t one = 8 + static_cast<std::int64_t>(envelope);
  EXPECT_THROW(sender.send({1, nobody}, key, 1), base::Error);
  EXPECT_EQ(sender.mailbox.room().used(1), one);
  Started both({1, nobody}, 8);
  sender.outbox.start(both.send);
  EXPECT_TRUE(both.send.failure);
  EXPECT_EQ(sender.mailbox.room().used(1), 2 * one);
  take_one(receiver);
  take_one(receiver);
  EXPECT_EQ(sender.mailbox.room().used(1), 0);
}

TEST(Room, IsGivenBackOnlyToTheProcessThatHasSent) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  bound_all({&sender, &receiver}, 1000);
  sender.send({1}, key, 1);
  EXPECT_NE(receiver.mailbox.look(from(0, key)), nullptr);
  const auto owed = sender.mailbox.room().used(1);
  receiver.post.credit(transport::shm::endpoint_id(0, 9), 40);
  EXPECT_EQ(sender.mailbox.room().used(1), owed);
  take_one(receiver);
  EXPECT_EQ(sender.mailbox.room().used(1), 0);
}

TEST(Room, IsNeededAtAllReceiversOfAMessage) {
  const Mapping mapping = make_segment(3);
  Member sender(mapping, 0), one(mapping, 1), two(mapping, 2);
  bound_all({&sender, &one, &two}, 100);
  sender.send({1}, key, 1);
  Started full({1}, 200), both({1, 2}, 8);
  sender.outbox.start(full.send);
  sender.outbox.start(both.send);
  EXPECT_FALSE(both.send.left);
  EXPECT_EQ(two.mailbox.look(from(0, key)), nullptr);
  take_one(one);
  take_one(one);
  sender.outbox.advance();
  EXPECT_TRUE(both.send.done);
  take_one(one);
  take_one(two);
  EXPECT_EQ(sender.mailbox.room().used(1) + sender.mailbox.room().used(2), 0);
}

TEST(Room, IsNotWaitedForByASendThatIsTakenBack) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  bound_all({&sender, &receiver}, 100);
  Started left({1}, long_bytes), waits({1}, long_bytes);
  sender.outbox.start(left.send);
  sender.outbox.start(waits.send);
  EXPECT_TRUE(sender.outbox.cancel(waits.send));
  EXPECT_FALSE(sender.outbox.cancel(left.send)) << "it will be received";
  EXPECT_TRUE(left.send.done);
  EXPECT_FALSE(sender.waiter.progress().busy());
  take_one(receiver);
  EXPECT_EQ(receiver.mailbox.look(from(0)), nullptr);
}

TEST(Room, IsMadeByPostedReceivesOfAProcessThatWaitsForRoomItself) {
  const Mapping mapping = make_segment(2);
  in_threads(2, [&](int id) {
    Member member(mapping, id);
    bound_all({&member}, 1000);
    std::vector<PostedReceive> posted(20);
    for (PostedReceive& one : posted) {
      one.match = from(1 - id, key);
      one.deliver = [](void*, const Arrival&) {};
      member.mailbox.post(one);
    }
    for (int i = 0; i < 20; ++i) member.send_bytes({1 - id}, key, 900, 1);
    EXPECT_TRUE(holds_soon([&] { return member.mailbox.advance(), !member.mailbox.busy(); }));
  });
}

TEST(Room, IsMadeByMessagesThatAreDiscarded) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  bound_all({&sender, &receiver}, 100);
  receiver.mailbox.discard_unposted({kind, {kind_bits, 0}, [](void*, const Arrival&) {}, nullptr});
  Started first({1}, long_bytes);
  sender.outbox.start(first.send);
  EXPECT_EQ(receiver.mailbox.look(from(0)), nullptr);
  sender.outbox.advance();
  EXPECT_TRUE(first.send.done);
}

}  // namespace
}  // namespace tutti::services::test::room
