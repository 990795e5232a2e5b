// SPDX-License-Identifier: BSD-3-Clause
// Tests records that several endpoints ask for by name, and counters at which they wait for each
// other.
#include "services/directory.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "endpoints.hpp"
#include "services/arrival_counter.hpp"

namespace tutti::services::test {
namespace {

using transport::shm::ShmTransport;

struct Clerk {
  ShmTransport transport;
  transport::Waiter waiter{transport};
  Directory directory;
  Clerk(const Mapping& mapping, int self)
      : transport(mapping, self), directory(mapping, transport.self(), waiter) {}
};

TEST(Records, AreZeroedAndSharedByName) {
  const Mapping mapping = make_segment(2);
  Clerk a(mapping, 0), b(mapping, 1);
  auto* bytes = static_cast<unsigned char*>(a.directory.record("first", 1000));
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(bytes[i], 0);
  bytes[999] = 5;
  EXPECT_EQ(b.directory.record("first", 1000), bytes);
  EXPECT_NE(b.directory.record("second", 1000), bytes);
  EXPECT_EQ(bytes[999], 5);
  EXPECT_NE(a.directory.record("empty", 0), nullptr);
}

TEST(Records, RefuseWhatCannotBe) {
  const Mapping mapping = make_segment(1);
  Clerk clerk(mapping, 0);
  EXPECT_EQ(status_of([&] { (void)clerk.directory.record("", 8); }),
            base::Status::invalid_argument);
  EXPECT_EQ(status_of([&] { (void)clerk.directory.record(std::string(64, 'x'), 8); }),
            base::Status::invalid_argument);
  EXPECT_EQ(status_of([&] { (void)clerk.directory.record(std::string(63, 'x'), 8); }),
            base::Status::ok);
  EXPECT_EQ(status_of([&] { (void)clerk.directory.record("name", -1); }),
            base::Status::invalid_argument);
  EXPECT_EQ(status_of([&] { (void)clerk.directory.record("name", 8); }), base::Status::ok);
  EXPECT_EQ(status_of([&] { (void)clerk.directory.record("name", 9); }), base::Status::mismatch);
  EXPECT_EQ(status_of([&] { clerk.directory.arrive("counter", 0); }),
            base::Status::invalid_argument);
}

TEST(Records, AFullDirectoryAndAFullJobAreErrors) {
  const Mapping mapping = make_segment(1);
  Clerk clerk(mapping, 0);
  for (int i = 0; i < transport::shm::records; ++i)
    (void)clerk.directory.record(fmt::format("record {}", i), 8);
  EXPECT_EQ(status_of([&] { (void)clerk.directory.record("one more", 8); }),
            base::Status::out_of_memory);
  EXPECT_EQ(status_of([&] { (void)clerk.directory.record("record 1000", 8); }), base::Status::ok);

  const Mapping small = make_segment_with_room(1, 10'000);
  Clerk poor(small, 0);
  EXPECT_EQ(status_of([&] { (void)poor.directory.record("large", 100'000); }),
            base::Status::out_of_memory);
  EXPECT_EQ(status_of([&] { (void)poor.directory.record("large", 1000); }), base::Status::ok);
}

TEST(Records, MadeBySeveralThreadsAtOnceExistOnce) {
  constexpr int threads = 4, names = 60;
  const Mapping mapping = make_segment(threads);
  std::array<std::array<void*, names>, threads> found{};
  in_threads(threads, [&](int id) {
    Clerk clerk(mapping, id);
    for (int i = 0; i < names; ++i) {
      const int name = id % 2 == 0 ? i : names - 1 - i;
      found[static_cast<std::size_t>(id)][static_cast<std::size_t>(name)] =
          clerk.directory.record(fmt::format("record {}", name), 100 + name);
    }
  });
  for (const auto& of_thread : found) EXPECT_EQ(of_thread, found.front());
  EXPECT_EQ(std::set<void*>(found.front().begin(), found.front().end()).size(), std::size_t{names});
  int used = 0;
  for (const auto& place : mapping.header().directory) used += place.see() != 0;
  EXPECT_EQ(used, names);
}

// Plain memory is written before an arrival and read after it, so that ThreadSanitizer also checks
// the order.
TEST(Arrival, CountersAreUsedAgainAThousandTimes) {
  constexpr int threads = 4, rounds = 1000;
  const Mapping mapping = make_segment(threads);
  std::array<int, threads> said{};
  in_threads(threads, [&](int id) {
    Clerk clerk(mapping, id);
    for (int round = 1; round <= rounds; ++round) {
      said[static_cast<std::size_t>(id)] = round;
      clerk.directory.arrive("said", threads);
      for (const int other : said) EXPECT_EQ(other, round);
      clerk.directory.arrive("heard", threads);
    }
  });
}

TEST(Arrival, CountersOfDifferentNamesAndCountsAreIndependent) {
  const Mapping mapping = make_segment(3);
  in_threads(3, [&](int id) {
    Clerk clerk(mapping, id);
    for (int round = 0; round < 200; ++round) {
      clerk.directory.arrive("alone", 1);
      if (id < 2) clerk.directory.arrive("first two", 2);
      if (id > 0) clerk.directory.arrive("last two", 2);
      clerk.directory.arrive("changing", 3);
    }
  });
  // A counter at which no process waits may be used with another count.
  Clerk clerk(mapping, 0);
  clerk.directory.arrive("changing", 1);
}

TEST(Arrival, WhoComesInExcessBelongsToTheNextRound) {
  constexpr int threads = 6;
  const Mapping mapping = make_segment(threads);
  in_threads(threads, [&](int id) {
    Clerk clerk(mapping, id);
    for (int turn = 0; turn < 200; ++turn) {
      clerk.directory.arrive("half", threads / 2);
      clerk.directory.arrive("all", threads);
    }
  });
}

TEST(Arrival, SleepersAreWokenAndTheCountMustAgree) {
  const Mapping mapping = make_segment(2);
  in_threads(2, [&](int id) {
    Clerk clerk(mapping, id);
    if (id == 1) {
      EXPECT_TRUE(sleeps(mapping, 0));
      EXPECT_EQ(status_of([&] { clerk.directory.arrive("both", 3); }), base::Status::mismatch);
    }
    clerk.directory.arrive("both", 2);
    EXPECT_EQ(mapping.endpoint(id).state.waiting.see(), 0U);
  });
}

using transport::shm::Presence;

TEST(Counters, ProcessesThatHaveEndedDoNotCount) {
  const Mapping mapping = make_segment(3);
  std::atomic<bool> over{false};
  const transport::WaitEnd when_over{
      {[](void* flag) { return static_cast<std::atomic<bool>*>(flag)->load(); }, &over}};
  std::thread killed([&] {
    Clerk clerk(mapping, 0);
    clerk.directory.arrive("counter", 3, when_over);
  });
  EXPECT_TRUE(sleeps(mapping, 0));
  mapping.endpoint(0).presence.show(Presence::dead);
  in_threads(2, [&](int id) {
    Clerk clerk(mapping, id + 1);
    // The dead one has waited for three. Two can meet without it, and it is not one of them.
    for (int round = 0; round < 100; ++round) EXPECT_TRUE(clerk.directory.arrive("counter", 2));
  });
  over.store(true);
  killed.join();
}

TEST(Counters, AWaitThatEndsWithAnErrorIsNoArrival) {
  const Mapping mapping = make_segment(2);
  mapping.header().alone.publish(1);
  Clerk a(mapping, 0), b(mapping, 1);
  EXPECT_EQ(status_of([&] { a.directory.arrive("counter", 2); }), base::Status::peer_left);
  mapping.header().alone.publish(0);
  const transport::WaitEnd at_once{{[](void*) { return true; }, nullptr}};
  EXPECT_FALSE(b.directory.arrive("counter", 2, at_once)) << "the first one has not arrived";
}

// The first word of a counter is 1 + the process that changes it.
TEST(Counters, ALockOfTheDeadIsTakenOver) {
  const Mapping mapping = make_segment(3);
  Clerk a(mapping, 0);
  auto& holder = *static_cast<transport::Shared<std::uint32_t>*>(
      a.directory.record("counter", sizeof(ArrivalCounter)));
  for (const Presence presence : {Presence::dead, Presence::attached}) {
    mapping.endpoint(2).presence.show(presence);
    holder.publish(1 + 2);
    std::atomic<bool> through{false};
    std::thread waiter([&] {
      a.directory.arrive("counter", 1);
      through.store(true);
    });
    if (presence == Presence::attached) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_FALSE(through.load()) << "the holder lives";
      holder.publish(0);
    }
    waiter.join();
    EXPECT_EQ(holder.see(), 0U);
  }
}

TEST(Counters, AnArrivalCanBeTakenBack) {
  const Mapping mapping = make_segment(2);
  Clerk a(mapping, 0), b(mapping, 1);
  int looks = 0;
  const transport::WaitEnd soon{
      {[](void* count) { return ++*static_cast<int*>(count) == 5; }, &looks}};
  EXPECT_FALSE(a.directory.arrive("counter", 2, soon));
  EXPECT_EQ(looks, 5);
  // A cancelled arrival does not count: the next may give another count, and two arrivals of one
  // process are not two.
  const transport::WaitEnd at_once{{[](void*) { return true; }, nullptr}};
  EXPECT_FALSE(b.directory.arrive("counter", 3, at_once));
  EXPECT_FALSE(b.directory.arrive("counter", 2, at_once));
  EXPECT_TRUE(a.directory.arrive("counter", 1, at_once));
}

}  // namespace
}  // namespace tutti::services::test
