// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about packets and about fragments of collectives.
#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include "algorithms/registry.hpp"
#include "effects.hpp"
#include "oracle.hpp"
#include "transport/checking/transport.hpp"
#include "transport/shm/lent_memory.hpp"

namespace tutti::test {
namespace {

using engine::test::Player;
using transport::Channel;
using transport::Lent;
using transport::checking::CheckingTransport;

// A sender and a reader of a job.
struct Pair {
  explicit Pair(const Tuning& tuning, Processors processors = Processors::enough)
      : mapping(segment_of(2, tuning, processors)) {}
  // Sends a fragment. Returns false if there was no room.
  bool send(std::uint32_t bytes) {
    if (!out.ready()) return false;
    const Lent fragment = sender.acquire(bytes, 1, 1);
    if (fragment.data == nullptr) return false;
    out.post(0, bytes, fragment, bytes);
    return true;
  }
  void take() {
    ASSERT_NE(in.peek(), nullptr);
    in.pop();
  }

  Mapping mapping;
  ShmTransport sender{mapping, 0}, reader{mapping, 1};
  Channel& out = sender.channel(1);
  Channel& in = reader.channel(0);
};

// Returns how many packets a reader of a full ring takes until its writer knows of room.
std::int64_t taken_until_told(std::int64_t publish_every) {
  Pair pair(with(&Tuning::publish_every, publish_every));
  const std::uint64_t number = 0;
  while (pair.out.ready()) pair.out.post_inline(0, &number, sizeof number);
  std::int64_t taken = 0;
  for (; !pair.out.ready(); ++taken) {
    EXPECT_NE(pair.in.peek(), nullptr);
    pair.in.pop();
  }
  return taken;
}

TUNING_EFFECT(publish_every) {
  for (const int every : {1, 5, 16, 40}) EXPECT_EQ(taken_until_told(every), every);
}

// Returns in how many packets a broadcast of so many bytes travels.
std::uint64_t packets_of(const Tuning& tuning, std::int64_t bytes) {
  const schedule::Generator* const generator =
      algorithms::find(schedule::Operation::broadcast, "fully_connected");
  const Mapping mapping = segment_of(2, tuning);
  ShmTransport root(mapping, 0), other(mapping, 1);
  CheckingTransport counting(root);
  const engine::test::Scene scene{
      .request = {.generator = generator},
      .p = 2,
      .n = bytes / static_cast<std::int64_t>(sizeof(engine::test::Value))};
  Player sends(scene, 0, counting), receives(scene, 1, other);
  sends.start();
  receives.start();
  while (receives.advance() != transport::Look::done) static_cast<void>(sends.advance());
  EXPECT_EQ(receives.verdict(), "");
  return counting.sent(1).packets;
}

TUNING_EFFECT(fragment) {
  const Tuning whole = with(&Tuning::overlap_long, 128 << 10);
  EXPECT_EQ(packets_of(with(&Tuning::fragment, 8 << 10, whole), 256 << 10), 32U);
  EXPECT_EQ(packets_of(with(&Tuning::fragment, 128 << 10, whole), 256 << 10), 2U);
}

TUNING_EFFECT(overlap) {
  EXPECT_EQ(packets_of(with(&Tuning::overlap, 4 << 10), 64 << 10), 16U);
  EXPECT_EQ(packets_of(with(&Tuning::overlap, 64 << 10), 64 << 10), 1U);
}

TUNING_EFFECT(overlap_to) {
  EXPECT_EQ(packets_of(with(&Tuning::overlap_to, 128 << 10), 128 << 10), 8U);
  EXPECT_EQ(packets_of(with(&Tuning::overlap_to, 64 << 10), 128 << 10), 2U);
}

TUNING_EFFECT(overlap_long) {
  EXPECT_EQ(packets_of(with(&Tuning::overlap_long, 32 << 10), 256 << 10), 8U);
  EXPECT_EQ(packets_of(with(&Tuning::overlap_long, 64 << 10), 256 << 10), 4U);
}

// Returns how many fragments of 60,000 bytes find room while nobody reads.
int unread_fragments(const Tuning& tuning) {
  Pair pair(tuning);
  int sent = 0;
  while (pair.send(60'000)) ++sent;
  return sent;
}

TUNING_EFFECT(fragment_ring) {
  EXPECT_EQ(unread_fragments(with(&Tuning::fragment_ring, 256 << 10)), 4);
  EXPECT_EQ(unread_fragments(with(&Tuning::fragment_ring, 1 << 20)), 17);
}

// Returns the distance between the first and the last place of fragments that are read at once.
std::int64_t used_of_ring(const Tuning& tuning, Processors processors) {
  Pair pair(with(&Tuning::fragment_ring, 1 << 20, tuning), processors);
  std::set<std::uint64_t> places;
  for (int i = 0; i < 200; ++i) {
    EXPECT_TRUE(pair.send(10'000));
    places.insert(pair.mapping.offset_of(pair.in.peek()->payload));
    pair.in.pop();
  }
  return static_cast<std::int64_t>(*places.rbegin() - *places.begin());
}

TUNING_EFFECT(fragment_window) {
  const auto used = [](std::int64_t window) {
    return used_of_ring(with(&Tuning::fragment_window, window), Processors::enough);
  };
  EXPECT_LT(used(256 << 10), 256 << 10);
  EXPECT_GT(used(0), 900 << 10);
}

// Returns how many fragments are made until a sender notices that the first was read.
int fragments_until_look(std::int64_t every) {
  const Mapping mapping = segment_of(2, with(&Tuning::fragment_look_every, every));
  auto memory = transport::shm::LentMemory::of_fragments(mapping, 0, transport::steady_clock());
  transport::shm::RingWriter<transport::Lane::collective> ring(mapping, 0, 1);
  transport::shm::RingReader<transport::Lane::collective> reader(mapping, 1, 0);
  const auto acquire = [&] { EXPECT_NE(memory.acquire(2000, 1, ring.distance()).data, nullptr); };
  acquire();  // the first look is at once
  transport::shm::Line* const line = ring.room();
  memory.posted(ring);
  ring.publish(*line);
  EXPECT_NE(reader.next(), nullptr);
  reader.pop(transport::shm::Tell::now);
  int made = 0;
  for (; memory.outstanding() == 2000U * (static_cast<unsigned>(made) + 1); ++made) acquire();
  return made;
}

TUNING_EFFECT(fragment_look_every) {
  for (const int every : {1, 4, 50}) EXPECT_EQ(fragments_until_look(every), every);
}

TUNING_EFFECT(crowded_window) {
  const auto used = [](std::int64_t window) {
    return used_of_ring(with(&Tuning::crowded_window, window), Processors::too_few);
  };
  EXPECT_LT(used(32), (1 << 20) / 32);
  EXPECT_LT(used(2), (1 << 20) / 2);
  EXPECT_GT(used(2), (1 << 20) / 4);
}

// Returns whether a sender whose reader has stalled gets memory from elsewhere before that time has
// passed.
bool overflows_within(std::int64_t overflow_after, std::chrono::milliseconds time) {
  Pair pair(with(&Tuning::overflow_after, overflow_after, with(&Tuning::fragment_ring, 1 << 20)));
  while (pair.send(60'000)) continue;
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    if (pair.out.ready() && pair.sender.acquire(60'000, 1, 1).data != nullptr) return true;
  }
  return false;
}

TUNING_EFFECT(overflow_after) {
  EXPECT_TRUE(overflows_within(1'000'000, std::chrono::seconds(60)));
  EXPECT_FALSE(overflows_within(60'000'000'000, std::chrono::milliseconds(600)));
}

}  // namespace
}  // namespace tutti::test
