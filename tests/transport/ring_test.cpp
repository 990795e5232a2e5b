// SPDX-License-Identifier: BSD-3-Clause
// Tests the two ends of a ring in either lane, and counts what is lost when a process is killed.
#include "transport/shm/ring.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "faults/stepped.hpp"
#include "free_blocks.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/lent_book.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::transport::shm {
namespace {

Mapping two() {
  SegmentOptions options;
  options.world_size = 2;
  options.policy = DeathPolicy::tolerant;
  return Mapping::create(options);
}

template <Lane lane>
bool send(RingWriter<lane>& writer, std::uint64_t number) {
  Line* const line = writer.room();
  if (line == nullptr) return false;
  line->set_label(number);
  line->total = 0;
  writer.publish(*line);
  return true;
}

TEST(Ring, OfMailTakesAnyNumberInOrder) {
  const Mapping mapping = two();
  RingWriter<Lane::mailbox> writer(mapping, 0, 1);
  RingReader<Lane::mailbox> reader(mapping, 1, 0);
  EXPECT_EQ(reader.next(), nullptr);
  constexpr std::uint64_t many = 10 * LineRing::lines_count;
  std::uint64_t received = 0;
  for (std::uint64_t sent = 0; sent < many; ++sent) {
    ASSERT_TRUE(send(writer, sent));
    if (sent % 3 != 0) continue;
    ASSERT_NE(reader.next(), nullptr);
    EXPECT_EQ(reader.next()->tag, received++);
    reader.pop(Tell::now);
    EXPECT_EQ(writer.pending(), writer.sent() - received);
  }
  for (; reader.next() != nullptr; reader.pop(Tell::now)) EXPECT_EQ(reader.next()->tag, received++);
  EXPECT_EQ(received, many);
  EXPECT_TRUE(writer.taken(many));
}

TEST(Ring, OfCollectivesHasRoomForSoManyAndIsToldInTime) {
  const Mapping mapping = two();
  RingWriter<Lane::collective> writer(mapping, 0, 1);
  RingReader<Lane::collective> reader(mapping, 1, 0);
  const auto group = static_cast<std::uint64_t>(mapping.tuning().publish_every);
  for (std::uint64_t sent = 0; sent < LineRing::lines_count; ++sent)
    ASSERT_TRUE(send(writer, sent));
  EXPECT_FALSE(send(writer, 0));
  const auto take = [&](Tell tell) {
    ASSERT_NE(reader.next(), nullptr);
    reader.pop(tell);
  };
  take(Tell::in_time);
  EXPECT_FALSE(writer.taken(1)) << "nobody waits for its memory";
  take(Tell::now);
  EXPECT_TRUE(writer.taken(2));
  for (std::uint64_t more = 0; more < group; ++more) take(Tell::in_time);
  EXPECT_TRUE(writer.taken(2 + group));
  EXPECT_TRUE(send(writer, 0));
  ASSERT_NE(writer.oldest_pending(), nullptr);
  EXPECT_EQ(writer.oldest_pending()->tag, 2 + group);
}

TEST(Ring, OfCollectivesHasNoRoomWhilePayloadsFillIt) {
  const Mapping mapping = two();
  RingWriter<Lane::collective> writer(mapping, 0, 1);
  RingReader<Lane::collective> reader(mapping, 1, 0);
  int sent = 0, received = 0;
  for (int round = 0; round < 100; ++round) {
    for (Line* line = writer.room(); line != nullptr; line = writer.room()) {
      line->total = most_inline;
      std::memset(writer.payload_place(line->total), sent++ % 256, line->total);
      writer.publish(*line);
    }
    EXPECT_LT(sent - received, static_cast<int>(LineRing::lines_count));
    for (int i = 0; i < 7; ++i, reader.pop(Tell::now)) {
      ASSERT_NE(reader.next(), nullptr);
      const std::byte* const payload = reader.payload(*reader.next());
      EXPECT_EQ(payload[0], static_cast<std::byte>(received % 256));
      EXPECT_EQ(payload[most_inline - 1], static_cast<std::byte>(received++ % 256));
    }
  }
}

// A sender that was interrupted before it showed its ring shows it to a process that has ended. The
// next process in that slot must not take it.
template <Lane lane>
void expect_unseen_by_next_process() {
  const Mapping mapping = two();
  Slots slots(mapping);
  const int first = slots.take(0);
  const int slot = slot_of(first);
  RingWriter<lane> writer(mapping, 0, first);
  ASSERT_TRUE(send(writer, 1));
  auto& entry = mapping.endpoint(slot).inbound[static_cast<int>(lane)][0];
  const std::uint64_t shown = entry.exchange(0);
  mapping.endpoint(slot).presence.show(Presence::dead);
  ASSERT_TRUE(slots.vacate(slot));
  const int second = slots.take(0);
  ASSERT_EQ(slot_of(second), slot);
  entry.show(shown);
  RingReader<lane> reader(mapping, slot, 0);
  EXPECT_FALSE(reader.accept());
  EXPECT_EQ(reader.next(), nullptr);
  EXPECT_THROW((void)RingWriter<lane>(mapping, 0, first).connect(), base::Error);
  EXPECT_EQ(entry.see(), shown);
  RingWriter<lane> right(mapping, 0, second);
  ASSERT_TRUE(send(right, 2));
  ASSERT_NE(reader.next(), nullptr);
  EXPECT_EQ(reader.next()->tag, 2U);
}

TEST(Ring, ShownTooLateReachesNobody) {
  expect_unseen_by_next_process<Lane::collective>();
  expect_unseen_by_next_process<Lane::mailbox>();
}

// A queue of mail of three rings with messages in lines and in buffers, whose receiver has taken
// all but a few messages before and behind the second link.
class DroppedQueue {
 public:
  static constexpr std::size_t rings = 3, buffer_bytes = 1000;

  DroppedQueue() {
    RingWriter<Lane::mailbox> writer(mapping, 0, 1);
    RingReader<Lane::mailbox> reader(mapping, 1, 0);
    constexpr std::uint64_t two_rings = 2 * (LineRing::lines_count - 1), left = 3;
    for (std::uint64_t sent = 0; sent < two_rings + left; ++sent) {
      if (sent >= two_rings - left && sent % 2 == 0)
        announce(writer);
      else
        EXPECT_TRUE(send(writer, sent));
    }
    for (std::uint64_t taken = 0; taken < two_rings - left; ++taken) {
      EXPECT_NE(reader.next(), nullptr);
      reader.pop(Tell::now);
    }
    mapping.endpoint(0).presence.show(Presence::dead);
  }

  void drop() const { drop_ring<Lane::mailbox>(mapping, 1, 0); }
  // Number of blocks that were handed out and are not free.
  [[nodiscard]] std::size_t lost() const {
    return rings + buffers - free_blocks(mapping, sizeof(LineRing), rings + 1) -
           free_blocks(mapping, sizeof(LentHeader) + buffer_bytes, buffers + 1);
  }

  const Mapping mapping = two();
  std::size_t buffers = 0;

 private:
  // Sends a message in a buffer whose sender has left it to its only reader.
  void announce(RingWriter<Lane::mailbox>& writer) {
    const auto offset = Heap(mapping).allocate(sizeof(LentHeader) + buffer_bytes);
    auto& header = *mapping.at<LentHeader>(offset.value());
    header.bytes = buffer_bytes;
    header.part = 0;
    header.readers.put(1 | LentHeader::abandon);
    ++buffers;
    Line& line = *writer.room();
    line.total = buffer_bytes;
    line.outside = {*offset, 0, kind_buffer, 0};
    writer.publish(line);
  }
};

TEST(Ring, ThatIsDroppedIsFree) {
  const DroppedQueue queue;
  EXPECT_GE(queue.buffers, 3U);
  queue.drop();
  EXPECT_EQ(queue.lost(), 0U);
  queue.drop();
}

// The process that cleans up behind another may be killed, too. Then a third one goes on where it
// stands.
TEST(Ring, LosesAtMostOneBlockIfItsDropIsKilled) {
  if (!test::may_trace()) GTEST_SKIP() << "no process can be traced here";
  DroppedQueue().drop();
  const auto drop = [](const DroppedQueue& queue) { queue.drop(); };
  expect_few_losses<DroppedQueue>(7, drop, drop);
}

// The writer is killed while it makes its first ring or links a further one.
TEST(Ring, LosesAtMostOneBlockIfItsWriterIsKilled) {
  if (!test::may_trace()) GTEST_SKIP() << "no process can be traced here";
  constexpr int stride = 701;
  int kills = 0;
  for (bool ended = false; !ended; ++kills) {
    const Mapping mapping = two();
    const std::uint64_t start = mapping.header().heap_top.see();
    ended = test::is_made_within(kills * stride, [&] {
      RingWriter<Lane::mailbox> writer(mapping, 0, 1);
      for (std::uint64_t sent = 0; sent <= LineRing::lines_count; ++sent) (void)send(writer, sent);
    });
    mapping.endpoint(0).presence.show(Presence::dead);
    const std::uint64_t top = mapping.header().heap_top.see();
    drop_ring<Lane::mailbox>(mapping, 1, 0);
    EXPECT_EQ(mapping.endpoint(1).inbound[static_cast<int>(Lane::mailbox)][0].see(), 0U);
    const std::size_t freed = free_blocks(mapping, sizeof(LineRing), 3);
    const std::size_t made = (top - start) / std::bit_ceil(sizeof(LineRing));
    ASSERT_LE(made - freed, 1U) << "after " << kills * stride << " instructions";
  }
  EXPECT_GT(kills, 5);
}

}  // namespace
}  // namespace tutti::transport::shm
