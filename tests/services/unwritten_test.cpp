// SPDX-License-Identifier: BSD-3-Clause
// Tests long messages that are read while they are written (pipelined sends). The writer stops
// between two pieces, and the test looks at the receiver.
#include <atomic>
#include <cstdlib>

#include "base/error.hpp"
#include "endpoints.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::services::test {
namespace {

constexpr std::uint64_t whole = 300'000;

Match expecting(std::uint64_t length, std::uint64_t key = 5) {
  Match match = from(0, key);
  match.unwritten_bytes = length;
  return match;
}

const Arrival* look_once(Member& receiver, const Match& match) {
  return receiver.mailbox.wait_unless(match, {[](void*) { return true; }, nullptr});
}

// A sender announces a message early only if other processes cannot disturb it. The tests ask for a
// spin, as on a machine with enough processors.
class Unwritten : public ::testing::Test {
 protected:
  Unwritten() { setenv("TUTTI_TUNING", "spin_crowded=20us", 1); }
  ~Unwritten() override { unsetenv("TUTTI_TUNING"); }

  // Sends the message; `between` is called before each piece but the first.
  static void send(Member& sender, const std::function<void()>& between) {
    sender.outbox.send(
        to_, 5, whole,
        [&](std::byte* memory, data::Store, std::uint64_t first, std::uint64_t last) {
          if (first > 0) between();
          for (std::uint64_t i = first; i < last; ++i)
            memory[i] = static_cast<std::byte>(3 + i * 7);
        });
  }
  static std::uint64_t read(Member& receiver, const Arrival& arrival) {
    std::uint64_t there = 0, right = 0;
    while (there < arrival.bytes) {
      const std::uint64_t now = receiver.mailbox.readable(arrival, there);
      for (; there < now; ++there)
        right += arrival.payload()[there] == static_cast<std::byte>(3 + there * 7) ? 1 : 0;
    }
    return right;
  }

 private:
  static constexpr int to_[] = {1};
};

TEST_F(Unwritten, TheFirstPiecesAreReadBeforeTheLastAreWritten) {
  const Mapping mapping = make_segment(2);
  std::atomic<bool> has_read{false};
  in_threads(2, [&](int id) {
    Member member(mapping, id);
    if (id == 0) {
      send(member, [&] { EXPECT_TRUE(holds_soon([&] { return has_read.load(); })); });
      member.outbox.drain();
      return;
    }
    const Arrival& arrival = member.mailbox.wait(expecting(whole));
    EXPECT_EQ(arrival.bytes, whole);
    EXPECT_LT(member.mailbox.readable(arrival, 0), whole);
    has_read = true;
    EXPECT_EQ(read(member, arrival), whole);
    member.mailbox.take();
    EXPECT_EQ(member.mailbox.look(from(0)), nullptr);
  });
}

TEST_F(Unwritten, IsNoMessageYetToWhoeverExpectsAnother) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  sender.send({1}, 4, 40);
  EXPECT_EQ(receiver.receive(from(0, 4)), 40);  // the two have met
  int looks = 0;
  send(sender, [&] {
    ++looks;
    EXPECT_EQ(receiver.mailbox.look(from(0)), nullptr);
    EXPECT_EQ(receiver.mailbox.look(from(any_source)), nullptr);
    EXPECT_EQ(look_once(receiver, from(0, 5)), nullptr);
    EXPECT_EQ(look_once(receiver, expecting(whole - 1)), nullptr);
    EXPECT_EQ(look_once(receiver, expecting(whole, 6)), nullptr);
  });
  EXPECT_GT(looks, 2);
  sender.send({1}, 5, 50);
  receiver.receive_bytes(from(any_source), whole, 3);
  EXPECT_EQ(receiver.receive(from(any_source)), 50);
}

// A receiver that expects a message which is still being written takes a short one for what it is,
// whatever its bytes are.
TEST_F(Unwritten, NoShortMessageIsTakenForOne) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  sender.send({1}, 4, 40);
  EXPECT_EQ(receiver.receive(from(0, 4)), 40);
  Arrival arrival;
  for (std::int32_t word = 0; word < 5; ++word) {
    const std::int32_t words[] = {word, word, word, word, word};
    sender.outbox.send(1, 5, words, sizeof words);
    const transport::Expected expected{5, sizeof words};
    ASSERT_EQ(receiver.post.poll(0, &expected, arrival), transport::Got::taken);
    ASSERT_EQ(arrival.ready, nullptr);
    ASSERT_EQ(std::memcmp(arrival.payload(), words, sizeof words), 0);
  }
}

TEST_F(Unwritten, IsExpectedBehindMessagesThatNobodyTook) {
  const Mapping mapping = make_segment(2);
  Member sender(mapping, 0), receiver(mapping, 1);
  sender.send({1}, 4, 40);
  EXPECT_EQ(look_once(receiver, expecting(whole)), nullptr);
  send(sender, [&] { EXPECT_EQ(look_once(receiver, expecting(whole)), nullptr); });
  EXPECT_EQ(read(receiver, receiver.mailbox.wait(expecting(whole))), whole);
  receiver.mailbox.take();
  EXPECT_EQ(receiver.receive(from(0)), 40);
}

// The receiver has either found the message unfinished, or has read all pieces that were there.
TEST_F(Unwritten, AReceiverThatSleepsIsWokenByTheLastPiece) {
  for (const bool reads_pieces : {false, true}) {
    const Mapping mapping = make_segment(2);
    in_threads(2, [&](int id) {
      Member member(mapping, id);
      if (id == 0) {
        send(member, [&] { EXPECT_TRUE(sleeps(mapping, 1)); });
        member.outbox.drain();
        return;
      }
      const Arrival& arrival =
          member.mailbox.wait(reads_pieces ? expecting(whole) : from(any_source));
      EXPECT_EQ(read(member, arrival), whole);
      member.mailbox.take();
    });
  }
}

TEST_F(Unwritten, TheHalfOfAKilledSenderIsNoMessageAndCostsNoMemory) {
  transport::shm::SegmentOptions options;
  options.policy = transport::shm::DeathPolicy::tolerant;
  const Mapping mapping = Mapping::create(options);
  transport::shm::Slots slots(mapping);
  std::int64_t memory = 0;
  for (int round = 0; round < 6; ++round) {
    const int id = slots.take(0);
    Member survivor(mapping, 0);
    mapping.endpoint(transport::shm::slot_of(id))
        .presence.publish(transport::shm::Presence::attached);
    auto* killed = new Member(mapping, transport::shm::slot_of(id));  // its destructor must not run
    killed->send({0}, 4, 40);
    Match match = expecting(whole);
    match.source = id;
    EXPECT_EQ(survivor.receive(from(id)), 40);
    const Arrival* begun = nullptr;
    const int to = 0;
    const auto die = [&](std::byte*, data::Store, std::uint64_t first, std::uint64_t) {
      if (first == 0) return;
      if (round % 2 == 0) begun = look_once(survivor, match);
      throw 1;
    };
    EXPECT_THROW(killed->outbox.send({&to, 1}, 5, whole, die), int);
    EXPECT_EQ(begun != nullptr, round % 2 == 0);
    mapping.endpoint(transport::shm::slot_of(id)).presence.show(transport::shm::Presence::dead);
    transport::shm::note_departure(mapping, transport::shm::slot_of(id));
    if (begun != nullptr) {
      EXPECT_THROW(read(survivor, *begun), base::Error);
    }
    EXPECT_EQ(survivor.mailbox.look(from(id)), nullptr);
    survivor.mailbox.part();
    EXPECT_EQ(survivor.mailbox.look(from(any_source)), nullptr);
    EXPECT_TRUE(slots.vacate(transport::shm::slot_of(id)));
    if (round == 1) memory = reserved(mapping);
    EXPECT_TRUE(round < 1 || reserved(mapping) == memory) << "in round " << round;
    static auto& never_deleted = *new std::vector<Member*>;
    never_deleted.push_back(killed);
  }
}

}  // namespace
}  // namespace tutti::services::test
