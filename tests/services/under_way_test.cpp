// SPDX-License-Identifier: BSD-3-Clause
// Tests receives that were posted and sends that were started.
#include <list>

#include "base/error.hpp"
#include "endpoints.hpp"

namespace tutti::services::test {
namespace {

constexpr std::uint64_t long_bytes = 60'000;

// A posted receive of one number, or of many bytes whose first is kept.
struct Posted {
  PostedReceive receive;
  std::int64_t value = -1;
  int source = -1;

  explicit Posted(const Match& match) {
    receive.match = match;
    receive.user = this;
    receive.deliver = [](void* user, const Arrival& arrival) {
      auto& self = *static_cast<Posted*>(user);
      self.source = arrival.source;
      self.value = arrival.bytes == sizeof self.value
                       ? Member::value_of(arrival)
                       : static_cast<std::int64_t>(arrival.payload()[0]);
    };
  }
};

// A started send of a number, or of many bytes that are all equal to it.
struct Started {
  StartedSend send;
  std::int64_t value;

  Started(std::vector<int> to, std::uint64_t key, std::int64_t number,
          std::uint64_t bytes = sizeof number)
      : value(number) {
    send.receivers = std::move(to);
    send.message.key = key;
    send.message.bytes = bytes;
    send.message.user = this;
    send.message.fill = [](const void* user, std::byte* message, data::Store, std::uint64_t first,
                           std::uint64_t last) {
      const auto& self = *static_cast<const Started*>(user);
      if (self.send.message.bytes == sizeof self.value) {
        std::memcpy(message, &self.value, sizeof self.value);
      } else {
        std::memset(message + first, static_cast<int>(self.value), last - first);
      }
    };
  }
};

TEST(PostedReceives, TakeTheirMessagesInTheOrderInWhichTheyWerePosted) {
  const Mapping mapping = make_segment(3);
  Member a(mapping, 0), b(mapping, 1), receiver(mapping, 2);
  a.send({2}, 5, 1);
  Posted here(from(any_source, 5)), any_five(from(any_source, 5)), from_b(from(1)), all(from(0));
  receiver.mailbox.post(here.receive);
  EXPECT_TRUE(here.receive.done);  // it had come before
  EXPECT_EQ(here.value, 1);
  for (Posted* one : {&any_five, &from_b, &all}) {
    receiver.mailbox.post(one->receive);
    EXPECT_FALSE(one->receive.done);
  }
  EXPECT_TRUE(receiver.waiter.progress().busy());
  b.send({2}, 7, 2);
  b.send({2}, 5, 3);
  a.send({2}, 5, 4);
  EXPECT_EQ(receiver.mailbox.advance(), transport::Look::progress);
  EXPECT_EQ(from_b.value, 2);
  EXPECT_EQ(any_five.value, 4) << "messages of 0 are looked at before those of 1";
  EXPECT_EQ(receiver.receive(from(1)), 3) << "nobody had asked for it";
  EXPECT_FALSE(all.receive.done);
  EXPECT_TRUE(receiver.waiter.progress().busy());
  a.send({2}, 9, 5);
  EXPECT_EQ(receiver.mailbox.advance(), transport::Look::progress);
  EXPECT_EQ(all.value, 5);
  EXPECT_FALSE(receiver.waiter.progress().busy());
}

TEST(PostedReceives, ChooseBeforeLaterReceivesAndProbes) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  sender.send({1}, 1, 10);
  EXPECT_EQ(receiver.receive(from(0, 1)), 10);
  Posted posted(from(0, 1));
  receiver.mailbox.post(posted.receive);
  sender.send({1}, 1, 11);
  sender.send({1}, 1, 12);
  std::int64_t now = 0;
  EXPECT_FALSE(receiver.mailbox.receive_now(0, 1, &now, sizeof now)) << "it may be posted for";
  const Arrival* found = receiver.mailbox.look(from(0, 1));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(Member::value_of(*found), 12);
  EXPECT_EQ(posted.value, 11);
  receiver.mailbox.take();
}

TEST(PostedReceives, TakeLongMessagesAndGiveTheMemoryBack) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  Posted first(from(any_source)), second(from(any_source));
  receiver.mailbox.post(first.receive);
  sender.send_bytes({1}, 3, long_bytes, 65);
  sender.send_bytes({1}, 3, long_bytes, 66);
  EXPECT_EQ(receiver.mailbox.advance(), transport::Look::progress);
  EXPECT_EQ(first.value, 65);
  EXPECT_EQ(sender.post.reclaim(transport::Depth::all), long_bytes);
  receiver.mailbox.post(second.receive);
  EXPECT_EQ(second.value, 66) << "it waited in the queue";
  EXPECT_EQ(sender.post.reclaim(transport::Depth::all), 0U);
}

TEST(PostedReceives, CanBeTakenBack) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  Posted posted(from(0)), done(from(0));
  receiver.mailbox.post(posted.receive);
  EXPECT_TRUE(receiver.mailbox.cancel(posted.receive));
  EXPECT_FALSE(receiver.waiter.progress().busy());
  sender.send({1}, 1, 1);
  EXPECT_EQ(receiver.receive(from(0)), 1);
  EXPECT_FALSE(posted.receive.done);
  sender.send({1}, 1, 2);
  receiver.mailbox.post(done.receive);
  EXPECT_FALSE(receiver.mailbox.cancel(done.receive));
}

TEST(PostedReceives, AreServedWhileAnotherMessageIsWaitedFor) {
  const Mapping mapping = make_segment(3);
  in_threads(3, [&](int self) {
    Member member(mapping, self);
    if (self == 0) {
      Posted posted(from(1));
      member.mailbox.post(posted.receive);
      member.send({1}, 0, 1);
      EXPECT_EQ(member.receive(from(2)), 3);  // 2 sends only after 1
      member.mailbox.advance();
      EXPECT_EQ(posted.value, 2);
    } else if (self == 1) {
      EXPECT_EQ(member.receive(from(0)), 1);
      member.send({0}, 0, 2);
      member.send({2}, 0, 2);
    } else {
      EXPECT_EQ(member.receive(from(1)), 2);
      member.send({0}, 0, 3);
    }
    member.outbox.drain();
  });
}

TEST(PostedReceives, AloneTakeMessagesThatAreDiscardedElsewhere) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  int discarded = 0;
  Unposted kind{8, {8, 0}};
  kind.user = &discarded;
  kind.discarded = [](void* user, const Arrival&) { ++*static_cast<int*>(user); };
  receiver.mailbox.discard_unposted(kind);
  sender.send({1}, 8, 1);
  sender.send_bytes({1}, 9, long_bytes, 1);
  sender.send({1}, 1, 2);
  EXPECT_EQ(receiver.receive(from(0)), 2) << "the others are discarded on the way";
  EXPECT_EQ(discarded, 2);
  EXPECT_EQ(sender.post.reclaim(transport::Depth::all), 0U);
  sender.send({1}, 8, 3);
  Posted late(from(0)), any(from(any_source));
  receiver.mailbox.post(late.receive);
  EXPECT_FALSE(late.receive.done) << "the message had come before";
  EXPECT_EQ(discarded, 3);
  receiver.mailbox.post(any.receive);
  for (const int value : {4, 5, 6}) sender.send({1}, 8, value);
  EXPECT_EQ(receiver.mailbox.advance(), transport::Look::progress);
  EXPECT_EQ(late.value, 4);
  EXPECT_EQ(any.value, 5);
  EXPECT_EQ(receiver.mailbox.look(from(any_source)), nullptr);
  EXPECT_EQ(discarded, 4);
  receiver.mailbox.discard_unposted({});
  sender.send({1}, 8, 7);
  EXPECT_EQ(receiver.receive(from(0)), 7);
}

// Memory for one queue, and for two long messages.
Mapping small_segment(int processes) {
  return make_segment_with_room(processes, (processes - 1) * 16'384 + 2 * 65'536 + 4096);
}

TEST(StartedSends, LeaveAtOnceIfThereIsRoom) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  Started short_one({1}, 1, 7), long_one({1}, 2, 8, long_bytes), to_nobody({}, 2, 8, long_bytes);
  for (Started* one : {&short_one, &long_one, &to_nobody}) {
    sender.outbox.start(one->send);
    EXPECT_TRUE(one->send.done);
  }
  EXPECT_FALSE(sender.waiter.progress().busy());
  EXPECT_EQ(receiver.receive(from(0, 1)), 7);
  EXPECT_EQ(receiver.mailbox.wait(from(0, 2)).payload()[long_bytes - 1], std::byte{8});
  receiver.mailbox.take();
}

// Fills the memory of the job with messages from `sender` to endpoint 1.
int fill(Member& sender, std::list<Started>& waiting) {
  int left = 0;
  for (; waiting.empty() || waiting.back().send.done; ++left) {
    waiting.emplace_back(std::vector<int>{1}, 1, left, long_bytes);
    sender.outbox.start(waiting.back().send);
  }
  return left - 1;
}

TEST(StartedSends, WaitForMemoryAndKeepTheirOrder) {
  const Mapping mapping = small_segment(3);
  Member sender(mapping, 0), b(mapping, 1), c(mapping, 2);
  std::list<Started> to_b;
  const int left = fill(sender, to_b);
  EXPECT_GE(left, 1);
  EXPECT_TRUE(sender.outbox.waits());
  Started behind({1}, 1, left + 1), beside({2}, 1, 99);
  sender.outbox.start(behind.send);
  EXPECT_FALSE(behind.send.done) << "it has room, but must not overtake";
  sender.outbox.start(beside.send);
  EXPECT_TRUE(beside.send.done) << "it goes to another receiver";
  EXPECT_EQ(c.receive(from(0)), 99);
  for (int i = 0; i <= left; ++i) {
    EXPECT_EQ(b.mailbox.wait(from(0)).payload()[0], static_cast<std::byte>(i));
    b.mailbox.take();
    sender.outbox.advance();
  }
  EXPECT_TRUE(to_b.back().send.done);
  EXPECT_TRUE(behind.send.done);
  EXPECT_FALSE(sender.waiter.progress().busy());
  EXPECT_EQ(b.receive(from(0)), left + 1);
}

TEST(StartedSends, LaterSendsThatWaitStayBehindThem) {
  const Mapping mapping = small_segment(2);
  in_threads(2, [&](int self) {
    Member member(mapping, self);
    std::list<Started> waiting;
    constexpr int enough = 20;  // more than there is memory for
    if (self == 0) {
      for (int i = 0; i < enough; ++i) {
        waiting.emplace_back(std::vector<int>{1}, 1, i, long_bytes);
        member.outbox.start(waiting.back().send);
      }
      EXPECT_TRUE(member.outbox.waits());
      member.send({1}, 1, enough);
      EXPECT_FALSE(member.outbox.waits());
      const std::int64_t last = enough + 1;
      member.outbox.send(1, 1, &last, sizeof last);
      member.outbox.drain();
    } else {
      ASSERT_TRUE(sleeps(mapping, 0));
      for (int i = 0; i < enough; ++i) {
        EXPECT_EQ(member.mailbox.wait(from(0)).payload()[0], static_cast<std::byte>(i));
        member.mailbox.take();
      }
      EXPECT_EQ(member.receive(from(0)), enough);
      EXPECT_EQ(member.receive(from(0)), enough + 1);
    }
  });
}

TEST(StartedSends, EndWithTheTextOfFullMemory) {
  const Mapping mapping = small_segment(2);
  Member sender(mapping, 0, 0.01), receiver(mapping, 1);
  std::list<Started> waiting;
  const int left = fill(sender, waiting);
  const auto start = std::chrono::steady_clock::now();
  while (!waiting.back().send.done) sender.outbox.advance();
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(10));
  EXPECT_FALSE(sender.waiter.progress().busy());
  try {
    std::rethrow_exception(waiting.back().send.failure);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.status(), base::Status::out_of_memory);
    EXPECT_NE(std::string(error.what()).find(fmt::format(": {} to process 1;", left)),
              std::string::npos)
        << error.what();
  }
}

TEST(StartedSends, CanBeTakenBackUntilTheyLeave) {
  const Mapping mapping = small_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  std::list<Started> waiting;
  const int left = fill(sender, waiting);
  EXPECT_FALSE(sender.outbox.cancel(waiting.front().send));
  EXPECT_TRUE(sender.outbox.cancel(waiting.back().send));
  EXPECT_FALSE(sender.waiter.progress().busy());
  for (int i = 0; i < left; ++i) {
    EXPECT_EQ(receiver.mailbox.wait(from(0)).payload()[0], static_cast<std::byte>(i));
    receiver.mailbox.take();
  }
  sender.outbox.advance();
  EXPECT_EQ(receiver.mailbox.look(from(0)), nullptr);
}

}  // namespace
}  // namespace tutti::services::test
