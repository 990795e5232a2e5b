// SPDX-License-Identifier: BSD-3-Clause
// Tests a world in which processes start and end: with any numbers, without common memory, and with
// ends that the others notice.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "fake_wire.hpp"
#include "transport/wire/mail.hpp"
#include "transport/wire/transport.hpp"

namespace tutti::transport::wire::test {
namespace {

constexpr int first = 0x40001, second = 0x40002, newcomer = 0xc0003;

shm::Mapping own_segment() {
  shm::SegmentOptions options;
  options.world_size = 1;
  options.unsupervised = true;
  return shm::Mapping::create(options);
}

struct Task {
  explicit Task(const FakeWire& wire) : job(wire.table(), "", 0) { link.serve(transport, post); }
  shm::Mapping segment = own_segment();
  WireJob job;
  shm::ShmTransport memory{segment, 0};
  shm::ShmMail memory_post{segment, 0};
  WireLink link{job, segment.tuning()};
  RemoteTransport transport{memory, link};
  RemoteMail post{memory_post, link};
};

class OpenWorld : public testing::Test {
 protected:
  // Returns the task with this number, which is made at its first use.
  Task& as(int number) {
    wire.act_as(number);
    auto& task = tasks[number];
    if (!task) task = std::make_unique<Task>(wire);
    return *task;
  }
  template <class Condition>
  [[nodiscard]] bool comes(int number, const Condition& condition) {
    for (int turn = 0; turn < 10'000; ++turn) {
      for (const auto& [other, task] : tasks) {
        wire.act_as(other);
        task->link.advance();
      }
      as(number);
      if (condition()) return true;
    }
    return false;
  }
  void post_number(int from, int to, std::uint64_t number) {
    Channel& channel = as(from).transport.channel(to);
    ASSERT_TRUE(comes(from, [&] { return channel.ready(); }));
    channel.post_inline(7, &number, sizeof number);
  }
  void expect_number(int from, int to, std::uint64_t number) {
    Channel& channel = as(to).transport.channel(from);
    ASSERT_TRUE(comes(to, [&] { return channel.peek() != nullptr; }));
    std::uint64_t got = 0;
    std::memcpy(&got, channel.peek()->payload, sizeof got);
    EXPECT_EQ(got, number);
    channel.pop();
  }
  // Returns the message of the error that `action` gives within so many turns.
  template <class Action>
  std::string refusal(const Action& action) {
    for (int turn = 0; turn < 1000; ++turn) {
      try {
        action(turn);
      } catch (const base::Error& error) {
        return error.what();
      }
    }
    return "nothing was refused";
  }

  FakeWire wire{FakeWire::Open{{first, second}}};
  std::map<int, std::unique_ptr<Task>> tasks;
};

TEST_F(OpenWorld, HasAnyNumbersAndNoMemoryInCommon) {
  const WireJob& job = as(second).job;
  EXPECT_TRUE(job.is_open());
  EXPECT_TRUE(job.hosts().apart());
  EXPECT_EQ(job.rank(), second);
  EXPECT_EQ(job.world(), (std::vector<int>{first, second}));
  EXPECT_EQ(job.hosts().number(second), 1);
  EXPECT_EQ(job.hosts().number(newcomer), -1);
  EXPECT_TRUE(job.hosts().far(first) && job.hosts().far(second) && job.hosts().far(newcomer));
  EXPECT_FALSE(job.hosts().here(first));
  EXPECT_EQ(as(second).transport.self(), second);
}

TEST_F(OpenWorld, PacketsReachEverybodyAlsoTheSender) {
  for (std::uint64_t i = 0; i < 3 * RemoteChannel::window; ++i) {
    for (const int to : {first, second, newcomer}) {
      post_number(first, to, i);
      expect_number(first, to, i);
    }
    post_number(newcomer, second, i);
    expect_number(newcomer, second, i);
  }
}

TEST_F(OpenWorld, MailOfSomebodyUnknownIsFound) {
  as(first);
  const std::vector<std::byte> long_one(100'000, std::byte{5});
  Mail& post = as(newcomer).post;
  const Lent buffer = post.acquire(long_one.size(), 1, 1);
  ASSERT_NE(buffer.data, nullptr);
  std::memcpy(buffer.data, long_one.data(), long_one.size());
  ASSERT_TRUE(post.send(first, 11, long_one.size(), buffer, long_one.size()));
  std::vector<int> seen;
  const auto visit = [](void* user, int source) {
    static_cast<std::vector<int>*>(user)->push_back(source);
  };
  ASSERT_TRUE(comes(first, [&] {
    as(first).post.for_each_sender(visit, &seen);
    return !seen.empty();
  }));
  EXPECT_EQ(seen.front(), newcomer);
  Arrival arrival;
  ASSERT_TRUE(
      comes(first, [&] { return as(first).post.poll(newcomer, nullptr, arrival) == Got::taken; }));
  EXPECT_EQ(arrival.bytes, long_one.size());
  EXPECT_EQ(std::memcmp(arrival.payload(), long_one.data(), long_one.size()), 0);
  as(first).post.release(arrival);
}

TEST_F(OpenWorld, AnEndIsNoticedAfterWhatWasSentBefore) {
  as(first);
  post_number(second, first, 3);
  wire.end(second);
  Task& waiter = as(first);
  Channel& channel = waiter.transport.channel(second);
  const int waited_for[] = {second};
  const WaitInfo info{.endpoints = waited_for};
  bool came = false;
  const std::string said = refusal([&](int turn) {
    came = came || channel.peek() != nullptr;
    waiter.transport.idler().idle(turn, info);
  });
  EXPECT_TRUE(came);
  EXPECT_EQ(said, "task t40002 has left the job");
  EXPECT_EQ(waiter.link.departures(), 1);
  EXPECT_TRUE(waiter.link.gone(second));
  EXPECT_FALSE(waiter.link.gone(newcomer));
  EXPECT_THROW(waiter.post.require_reachable(second), base::Error);
}

TEST_F(OpenWorld, WhoeverLeavesWaitsForNobody) {
  as(second);
  post_number(first, second, 1);
  as(first).link.leave();
  EXPECT_FALSE(as(second).link.gone(first));
}

TEST_F(OpenWorld, WhatIsNoFrameIsRefused) {
  as(first);
  as(second).link.tell(first, static_cast<FrameKind>(0x03000000), 1);
  as(first);
  const std::string said = refusal([&](int) { as(first).link.advance(); });
  EXPECT_EQ(said.find("task t40002 sends what is no frame"), 0U) << said;
}

}  // namespace
}  // namespace tutti::transport::wire::test
