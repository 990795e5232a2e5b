// SPDX-License-Identifier: BSD-3-Clause
// Tests tasks that start and end. Data that one process of a slot has shared must never be seen by
// the next, and all of it is given back. A task is a Member in its own slot; the test is its
// supervisor.
#include <memory>

#include "base/error.hpp"
#include "endpoints.hpp"
#include "transport/shm/lent_book.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::services::test {
namespace {

using transport::shm::DeathPolicy;
using transport::shm::Presence;
using transport::shm::slot_of;
using transport::shm::Slots;

Mapping make_job(DeathPolicy policy) {
  transport::shm::SegmentOptions options;
  options.policy = policy;
  return Mapping::create(options);
}

class Task {
 public:
  Task(const Mapping& mapping, int id) : mapping_(&mapping), slot_(slot_of(id)) {
    mapping.endpoint(slot_).presence.publish(Presence::attached);
    member_ = std::make_unique<Member>(mapping, slot_);
  }
  Member& operator*() { return *member_; }
  Member* operator->() { return member_.get(); }
  void finish() {
    member_->mailbox.close();
    end(Presence::finalized);
    member_.reset();
  }
  // Ends the task so that none of its code runs any more, destructors included.
  void be_killed() {
    static auto& killed = *new std::vector<std::unique_ptr<Member>>;
    killed.push_back(std::move(member_));
    transport::shm::abandon(*mapping_, slot_);
    end(Presence::dead);
  }

 private:
  void end(Presence presence) {
    mapping_->endpoint(slot_).presence.show(presence);
    transport::shm::note_departure(*mapping_, slot_);
  }

  const Mapping* mapping_;
  int slot_;
  std::unique_ptr<Member> member_;
};

TEST(Tasks, TheNextOneSeesNothingOfTheLast) {
  const Mapping mapping = make_job(DeathPolicy::together);
  Slots slots(mapping);
  Member master(mapping, 0);
  std::int64_t memory = 0;
  int last = -1;
  for (int round = 0; round < 20; ++round) {
    const int id = slots.take(0);
    EXPECT_EQ(slot_of(id), 1);
    EXPECT_NE(id, last);
    master.send({id}, 1, round);
    Task task(mapping, id);
    EXPECT_EQ(task->receive(from(any_source)), round);
    EXPECT_EQ(task->mailbox.look(from(any_source)), nullptr);
    for (int i = 0; i < 200; ++i) {  // more than a ring holds, on both sides, and nobody takes them
      master.send_bytes({id}, 2, 100, 0);
      task->send_bytes({0}, 2, 100, 0);
    }
    task.finish();
    EXPECT_FALSE(slots.vacate(1));  // the master still looks at its rings
    for (int i = 0; i < 100; ++i) master.receive_bytes(from(id), 100, 0);
    master.mailbox.part();
    EXPECT_TRUE(slots.vacate(1));
    for (int i = 0; i < 100; ++i) master.receive_bytes(from(id), 100, 0);
    EXPECT_EQ(master.mailbox.look(from(any_source)), nullptr);
    EXPECT_EQ(status_of([&] { master.send({id}, 1, 0); }), base::Status::peer_left);
    master.outbox.release();
    EXPECT_TRUE(master.post.unreceived().empty());
    if (round == 1) memory = reserved(mapping);
    EXPECT_TRUE(round < 1 || reserved(mapping) == memory) << "in round " << round;
    last = id;
  }
}

void post(transport::Channel& channel, std::int64_t value) {
  ASSERT_TRUE(channel.ready());
  channel.post_inline({7, 1}, &value, sizeof value);
}
void take(transport::Channel& channel, std::int64_t value) {
  const transport::Packet* const packet = channel.peek();
  ASSERT_NE(packet, nullptr);
  std::int64_t found = 0;
  std::memcpy(&found, packet->payload, sizeof found);
  EXPECT_EQ(found, value);
  channel.pop();
}

// A survivor takes its side of the rings of collectives back when it parts, but may still read what
// has come.
TEST(Tasks, RingsOfCollectivesAreGivenBackToo) {
  const Mapping mapping = make_job(DeathPolicy::tolerant);
  Slots slots(mapping);
  Member master(mapping, 0);
  std::uint64_t top = 0;
  for (int round = 0; round < 20; ++round) {
    const int id = slots.take(0);
    EXPECT_EQ(slot_of(id), 1);
    Task task(mapping, id);
    transport::Channel& there = master.transport.channel(id);
    transport::Channel& here = task->transport.channel(0);
    post(there, round);
    take(here, round);
    post(there, 1000 + round);  // which the task never reads
    post(here, round);
    take(there, round);
    const bool leaves_one = round % 2 == 1;
    if (leaves_one) post(here, 2000 + round);
    task.be_killed();
    EXPECT_FALSE(slots.vacate(1));  // the master still looks at its rings
    master.mailbox.part();
    EXPECT_EQ(slots.vacate(1), !leaves_one);
    if (leaves_one) {
      take(there, 2000 + round);
      transport::shm::note_departure(mapping, 1);  // as at the next one
      master.mailbox.part();
      EXPECT_TRUE(slots.vacate(1));
    }
    EXPECT_EQ(there.peek(), nullptr);
    EXPECT_EQ(status_of([&] { static_cast<void>(there.ready()); }), base::Status::peer_left);
    if (round == 1) top = mapping.header().heap_top.see();
    EXPECT_TRUE(round < 1 || mapping.header().heap_top.see() == top) << "in round " << round;
  }
}

TEST(Tasks, BuffersOfTheKilledAreGivenBackToo) {
  const Mapping mapping = make_job(DeathPolicy::tolerant);
  Slots slots(mapping);
  Member master(mapping, 0);
  constexpr int large = 1 << 20;  // reserved while it is in use
  std::int64_t memory = 0;
  for (int round = 0; round < 10; ++round) {
    const int first = slots.take(0), second = slots.take(1);
    Task killed(mapping, first), other(mapping, second);
    killed->send_bytes({0, second}, 1, large, 5);
    other->send_bytes({first}, 1, large, 6);
    killed.be_killed();
    EXPECT_EQ(status_of([&] { other->send_bytes({first}, 1, large, 6); }), base::Status::peer_left);
    other.finish();
    EXPECT_TRUE(slots.vacate(slot_of(second)) || round == 0);
    master.mailbox.part();
    master.receive_bytes(from(first), large, 5);
    EXPECT_TRUE(slots.vacate(slot_of(first)));
    EXPECT_TRUE(slots.vacate(slot_of(second)));
    if (round == 1) memory = reserved(mapping);
    EXPECT_TRUE(round < 1 || reserved(mapping) == memory) << "in round " << round;
  }
}

// The killed task had one message that was read already, one that is read later, one that its
// receiver holds, one that it was still writing, and one that only one of two receivers was told
// of.
TEST(Tasks, MessagesOfTheKilledAreGivenBackAtAnyStage) {
  const Mapping mapping = make_job(DeathPolicy::tolerant);
  Slots slots(mapping);
  Member master(mapping, 0);
  constexpr int large = 1 << 20;  // reserved while it is in use
  std::int64_t memory = 0;
  for (int round = 0; round < 10; ++round) {
    const int id = slots.take(0);
    Task killed(mapping, id);
    for (const unsigned key : {1, 2, 3}) killed->send_bytes({0}, key, large, key);
    master.receive_bytes(from(id, 1), large, 1);
    EXPECT_NE(master.mailbox.look(from(id, 3)), nullptr);
    EXPECT_NE(killed->post.acquire(large, 1, 0).data, nullptr);
    const transport::Lent half_told = killed->post.acquire(large, 2, 0);
    EXPECT_TRUE(killed->post.send(0, {4, 0}, large, half_told, large));
    killed.be_killed();
    EXPECT_EQ(master.mailbox.wait(from(id, 4)).bytes, std::uint64_t{large});
    master.mailbox.take();
    master.mailbox.part();
    master.receive_bytes(from(id, 3), large, 3);
    EXPECT_TRUE(slots.vacate(slot_of(id)));
    master.receive_bytes(from(id, 2), large, 2);
    if (round == 0) memory = reserved(mapping);
    EXPECT_EQ(reserved(mapping), memory) << "in round " << round;
  }
}

// A killed receiver had one message that it has looked past, one that it has looked at, and one
// that it has not fetched.
TEST(Tasks, MessagesToTheKilledAreGivenBackToTheirSender) {
  const Mapping mapping = make_job(DeathPolicy::tolerant);
  Slots slots(mapping);
  Member master(mapping, 0);
  constexpr int large = 1 << 20;  // reserved while it is in use
  std::int64_t memory = 0;
  for (int round = 0; round < 10; ++round) {
    const int id = slots.take(0);
    Task killed(mapping, id);
    for (const unsigned key : {1, 2}) master.send_bytes({id}, key, large, key);
    EXPECT_NE(killed->mailbox.look(from(0, 2)), nullptr);
    master.send_bytes({id}, 3, large, 3);
    killed.be_killed();
    master.mailbox.part();
    master.outbox.release();
    EXPECT_TRUE(slots.vacate(slot_of(id)));
    if (round == 0) memory = reserved(mapping);
    EXPECT_EQ(reserved(mapping), memory) << "in round " << round;
  }
}

TEST(Tasks, AWaitForTheDeadEndsAfterWhatTheyHadSent) {
  const Mapping mapping = make_job(DeathPolicy::tolerant);
  Slots slots(mapping);
  const int id = slots.take(0);
  Task task(mapping, id);
  std::thread waiter([&] {
    Member master(mapping, 0);
    EXPECT_EQ(master.receive(from(id)), 1);
    EXPECT_EQ(master.receive(from(id)), 2);
    EXPECT_EQ(status_of([&] { (void)master.receive(from(id)); }), base::Status::peer_left);
    EXPECT_EQ(status_of([&] { (void)master.receive(from(id)); }), base::Status::peer_left);
  });
  task->send({0}, 0, 1);
  EXPECT_TRUE(sleeps(mapping, 0));
  task->send({0}, 0, 2);
  task.be_killed();
  waiter.join();
}

TEST(Tasks, NobodyAndNoRoom) {
  const Mapping mapping = make_job(DeathPolicy::together);
  Slots slots(mapping);
  Member master(mapping, 0);
  EXPECT_EQ(status_of([&] { master.send({7}, 0, 0); }), base::Status::invalid_argument);
  EXPECT_EQ(status_of([&] { slots.require_room(transport::shm::capacity); }),
            base::Status::no_slot);
  slots.require_room(transport::shm::capacity - 1);
}

// The supervisor takes slots away and gives them out while the other endpoints run, for
// ThreadSanitizer.
TEST(Tasks, ComeAndGoAtTheSameTime) {
  constexpr int rounds = 30, spawn_group = 3;
  const Mapping mapping = make_job(DeathPolicy::together);
  Slots slots(mapping);
  std::atomic<int> done{0};
  std::thread master([&] {
    Member member(mapping, 0);
    for (int turn = 0; turn < rounds * spawn_group; ++turn) {
      const Arrival& arrival = member.mailbox.wait(from(any_source));
      const int id = arrival.source;
      member.mailbox.take();
      member.send({id}, 0, id);
      // No process takes this message; perhaps the receiver no longer exists.
      const base::Status status = status_of([&] { member.send_bytes({id}, 1, 5000, 1); });
      EXPECT_TRUE(status == base::Status::ok || status == base::Status::peer_left);
      member.mailbox.part();
    }
    while (done.load() == 0) {
      member.mailbox.part();
      std::this_thread::yield();
    }
  });
  const auto live = [&](int id) {
    Task task(mapping, id);
    task->send({0}, 0, 0);
    EXPECT_EQ(task->receive(from(0)), id);
    task.finish();
  };
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::thread> tasks;
    for (int i = 0; i < spawn_group; ++i) {
      const int id = slots.take(i);
      tasks.emplace_back([&live, id] { live(id); });
    }
    for (std::thread& task : tasks) task.join();
    for (int slot = 1; slot <= spawn_group; ++slot)
      EXPECT_TRUE(holds_soon([&] { return slots.vacate(slot); }));
  }
  done.store(1);
  master.join();
  EXPECT_EQ(mapping.header().slots.see(), spawn_group + 1U);
}

}  // namespace
}  // namespace tutti::services::test
