// SPDX-License-Identifier: BSD-3-Clause
// Effects of the rows about one copy in place of two.
#include <unistd.h>

#include <memory_resource>
#include <vector>

#include "algorithms/registry.hpp"
#include "base/copy.hpp"
#include "effects.hpp"
#include "oracle.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/line_ring.hpp"
#include "transport/shm/reach.hpp"
#include "transport/shm/ring.hpp"

namespace tutti::test {
namespace {

using transport::Channel;
using transport::Look;

// A sender and a reader that waits for a message, and 4 MiB of the job's memory.
struct Waiting {
  explicit Waiting(const Tuning& tuning) : mapping(segment_of(2, tuning)) {
    EXPECT_TRUE(out.ready());
    out.post_inline(0, nullptr, 0);  // makes the ring
    EXPECT_NE(in.peek(), nullptr);
    in.pop();
    in.offer({.message = {.label = 1, .total = bytes}, .to = own.data(), .waits = true});
  }
  static constexpr std::uint64_t bytes = 4 << 20;
  Mapping mapping;
  ShmTransport sender{mapping, 0}, reader{mapping, 1};
  Channel& out = sender.channel(1);
  Channel& in = reader.channel(0);
  std::byte* lent = mapping.at<std::byte>(*transport::shm::Heap(mapping).allocate(bytes));
  std::vector<std::byte> own = std::vector<std::byte>(bytes);
};

// Returns how many messages were offered in a broadcast of so many bytes whose root comes late.
std::uint64_t offers_for(const Tuning& tuning, std::int64_t bytes) {
  const schedule::Generator* const generator =
      algorithms::find(schedule::Operation::broadcast, "fully_connected");
  const Mapping mapping = segment_of(2, tuning);
  ShmTransport root(mapping, 0), other(mapping, 1);
  EXPECT_TRUE(root.channel(1).ready());
  const engine::test::Scene scene{
      .request = {.generator = generator},
      .p = 2,
      .n = bytes / static_cast<std::int64_t>(sizeof(engine::test::Value))};
  engine::test::Player sends(scene, 0, root), receives(scene, 1, other);
  receives.start();
  static_cast<void>(receives.advance());
  sends.start();
  while (receives.advance() != Look::done) static_cast<void>(sends.advance());
  EXPECT_EQ(receives.verdict(), "");
  const std::uint64_t ring = transport::shm::ring_of(mapping.endpoint(1).inbound[0][0].see());
  return mapping.at<transport::shm::PacketRing>(ring)->handover.state.see();
}

TUNING_EFFECT(one_copy_from) {
  EXPECT_EQ(offers_for(with(&Tuning::one_copy_from, (256 << 10) + 1), 256 << 10), 0U);
  EXPECT_NE(offers_for(with(&Tuning::one_copy_from, 256 << 10), 256 << 10), 0U);
}

// Returns how often a sender whose data could be read in place looks for an offer before it sends.
int looks_before_packets(std::int64_t offer_looks) {
  const schedule::Generator* const generator =
      algorithms::find(schedule::Operation::broadcast, "fully_connected");
  const Mapping mapping = segment_of(2, with(&Tuning::offer_looks, offer_looks));
  ShmTransport root(mapping, 0), other(mapping, 1);
  const engine::test::Scene scene{.request = {.generator = generator}, .p = 2, .n = 100'000};
  std::byte* const lent = mapping.at<std::byte>(*transport::shm::Heap(mapping).allocate(4 << 20));
  std::pmr::monotonic_buffer_resource memory(lent, 4 << 20, std::pmr::null_memory_resource());
  engine::test::Player sends(scene, 0, root, memory);
  sends.start();  // looks once
  int looks = 1;
  while (other.channel(0).peek() == nullptr) {
    static_cast<void>(sends.advance());
    ++looks;
  }
  return looks;
}

TUNING_EFFECT(offer_looks) {
  EXPECT_EQ(looks_before_packets(0), 1);
  EXPECT_EQ(looks_before_packets(50), 50);
}

// Only the sender can copy into the memory of the reader, if the system does not help.
TUNING_EFFECT(one_end_from) {
  for (const std::int64_t from : {4 << 20, (4 << 20) + 1}) {
    Waiting pair(with(&Tuning::one_end_from, from));
    EXPECT_EQ(pair.out.hand_over({.message = {.label = 1, .total = Waiting::bytes},
                                  .from = pair.lent,
                                  .part = 64 << 10,
                                  .one_way = true}) == transport::HandedOver::yes,
              from == 4 << 20);
  }
}

TUNING_EFFECT(one_copy_piece) {
  for (const int pieces : {4, 16}) {
    Waiting pair(
        with(&Tuning::one_copy_piece, Waiting::bytes / static_cast<std::uint64_t>(pieces)));
    pair.in.offer(
        {.message = {.label = 2, .total = Waiting::bytes}, .to = pair.lent, .waits = true});
    EXPECT_TRUE(pair.out.hand_over({.message = {.label = 2, .total = Waiting::bytes},
                                    .from = pair.own.data(),
                                    .one_way = true}) == transport::HandedOver::yes);
    int copied = 1;
    while (pair.out.help() != transport::Helped::done) ++copied;
    EXPECT_EQ(copied, pieces);
  }
}

TUNING_EFFECT(copy_by_kernel) {
  for (const std::int64_t allowed : {0, 1}) {
    Waiting pair(with(&Tuning::copy_by_kernel, allowed));
    transport::shm::Endpoint& peer = pair.mapping.endpoint(1);
    peer.pid.put(::getpid());
    peer.presence.put(transport::shm::Presence::attached);
    peer.kept_at_end.put(1);
    transport::shm::Reach reach(pair.mapping, 0, 1);
    EXPECT_EQ(reach.possible(), allowed == 1);
  }
}

TUNING_EFFECT(copy_pieces_to) {
  for (const std::int64_t to : {0, 8 << 10}) {
    base::set_copy_rules(with(&Tuning::copy_pieces_to, to));
    EXPECT_EQ(base::is_copied_in_pieces(4 << 10), to != 0);
  }
  base::set_copy_rules({});
}

TUNING_EFFECT(copy_pages) {
  base::set_copy_rules(with(&Tuning::copy_pages, 0));
  EXPECT_FALSE(base::is_read_in_turn(64 << 10));
  base::set_copy_rules(with(&Tuning::copy_pages, 1));
  EXPECT_FALSE(base::is_read_in_turn(8 << 10)) << "less than a group of pages";
#if defined(__x86_64__)
  EXPECT_EQ(base::is_read_in_turn(64 << 10), __builtin_cpu_supports("avx512f") != 0);
#endif
  base::set_copy_rules({});
}

}  // namespace
}  // namespace tutti::test
