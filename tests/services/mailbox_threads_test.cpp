// SPDX-License-Identifier: BSD-3-Clause
// Tests the mailbox while its endpoints run at the same time, so that ThreadSanitizer can check it,
// and waits that end in sleep.
#include <atomic>

#include "endpoints.hpp"

namespace tutti::services::test {
namespace {

std::uint64_t size_of(int number) {
  constexpr std::uint64_t sizes[] = {0, 8, 40, 41, 700, 20'000};
  return number % 97 == 0 ? 300'000 : sizes[number % 6];
}

TEST(MailboxThreads, AllToAllKeepsTheOrderOfEachPair) {
  constexpr int members = 4, messages = 300;
  const Mapping mapping = make_segment(members);
  in_threads(members, [&](int id) {
    Member member(mapping, id);
    std::vector<int> others;
    for (int to = 0; to < members; ++to) {
      if (to != id) others.push_back(to);
    }
    int next[members] = {};
    const auto receive_one = [&] {
      const Arrival& arrival = member.mailbox.wait(from(any_source));
      const int number = next[arrival.source]++;
      EXPECT_EQ(arrival.key, static_cast<std::uint64_t>(number));
      EXPECT_TRUE(
          Member::holds(arrival, size_of(number), static_cast<unsigned>(arrival.source + number)));
      member.mailbox.take();
    };
    for (int i = 0; i < messages; ++i) {
      const auto key = static_cast<std::uint64_t>(i);
      const auto seed = static_cast<unsigned>(id + i);
      if (i % 3 == 0) {  // as a multicast
        member.send_bytes(others, key, size_of(i), seed);
      } else {
        for (const int to : others) member.send_bytes({to}, key, size_of(i), seed);
      }
      if (i % 2 == 1) receive_one();
    }
    for (int i = messages / 2; i < messages * (members - 1); ++i) receive_one();
    member.outbox.drain();
    EXPECT_TRUE(member.post.unreceived().empty());
  });
}

TEST(MailboxThreads, AReceiverThatSleepsIsWoken) {
  constexpr int turns = 20;
  const Mapping mapping = make_segment(3);
  in_threads(2, [&](int id) {
    Member member(mapping, id);
    for (int turn = 0; turn < turns; ++turn) {
      const bool any = turn % 2 == 1;
      if (id == 0) {
        EXPECT_EQ(member.receive(from(any ? any_source : 1)), turn);
      } else {
        const auto& state = mapping.endpoint(0).state;
        // Waits of the two kinds alternate, so this is the wait of this turn.
        EXPECT_TRUE(holds_soon([&] { return state.waiting.see() == (any ? 2U : 1U); }));
        EXPECT_EQ(state.operation.see(), any ? transport::wait_from_anybody : 0U);
        EXPECT_EQ(state.wait_count.see(), any ? 0U : 1U);
        EXPECT_TRUE(any || state.wait_for[0].see() == 1);
        EXPECT_TRUE(sleeps(mapping, 0));
        member.send({0}, 0, turn);
      }
    }
  });
}

TEST(MailboxThreads, ASenderWithoutMemoryGoesOnWhenAMessageIsReceived) {
  const Mapping mapping = make_segment_with_room(2, 256 * 1024);
  constexpr int messages = 50;
  in_threads(2, [&](int id) {
    Member member(mapping, id);
    for (unsigned i = 0; i < messages; ++i) {
      if (id == 0) {
        member.send_bytes({1}, 0, 50'000, i);
      } else {
        EXPECT_TRUE(i != 0 || sleeps(mapping, 0));
        member.receive_bytes(from(0), 50'000, i);
      }
    }
    if (id == 0) member.outbox.drain();
  });
}

TEST(MailboxThreads, DrainWaitsForTheLastReceiver) {
  const Mapping mapping = make_segment(3);
  std::atomic<int> received{0};
  in_threads(3, [&](int id) {
    Member member(mapping, id);
    if (id == 0) {
      member.outbox.drain();  // nothing to wait for
      member.send({1, 2}, 0, 1);
      member.send_bytes({1, 2}, 0, 10'000, 1);
      member.outbox.drain();
      EXPECT_EQ(received.load(), 2);
      return;
    }
    EXPECT_TRUE(sleeps(mapping, 0));
    EXPECT_EQ(member.receive(from(0)), 1);
    ++received;  // drain cannot end before the buffer below is taken
    member.receive_bytes(from(0), 10'000, 1);
  });
}

}  // namespace
}  // namespace tutti::services::test
