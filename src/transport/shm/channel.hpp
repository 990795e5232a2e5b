// SPDX-License-Identifier: BSD-3-Clause
// A channel of the collective lane in shared memory: two rings, one each way.
#pragma once

#include "transport/shm/handover.hpp"
#include "transport/shm/lent_memory.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/ring.hpp"

namespace tutti::transport::shm {

class ShmChannel final : public Channel {
 public:
  // `self` is a slot, `peer` an endpoint of any generation.
  ShmChannel(const Mapping& mapping, LentMemory& fragments, LongCounts& sent, int self, int peer)
      : mapping_(&mapping),
        fragments_(&fragments),
        sent_(&sent),
        out_(mapping, self, peer),
        in_(mapping, self, peer),
        reach_(mapping, self, peer),
        taking_(mapping),
        handing_(mapping, self),
        self_(self) {}

  bool ready() override;
  void post_inline(Label label, const void* payload, std::uint32_t bytes) override;
  std::uint64_t post(Label label, std::uint64_t total, const Lent& fragment,
                     std::uint32_t bytes) override;
  const Packet* peek() override;
  void pop() override;
  [[nodiscard]] int peer() const override { return out_.peer(); }
  void offer(const Offer& offer) override;
  void withdraw(const std::byte* to) override;
  Look take_part() override;
  HandedOver hand_over(const Rest& rest) override;
  Helped help() override;
  void give_up() override;
  [[nodiscard]] PeerDistance& distance() { return out_.distance(); }

  // Frees the rings that it shares with a process that has gone, but those with packets in them.
  void part();
  // Publishes the number of packets taken so far, so that the peer can see what was left unread.
  void publish_taken() { in_.tell_taken(); }
  // Returns a packet that this endpoint, which leaves, or the peer, if it has left in good order,
  // did not take. All counts of an endpoint are published before it leaves.
  [[nodiscard]] std::optional<UnreadPacket> unread();

 private:
  void map_fragments();
  void read_line(const Line& line);
  void show_part();
  void wake_peer();

  const Mapping* mapping_;
  LentMemory* fragments_;
  LongCounts* sent_;
  RingWriter<Lane::collective> out_;
  RingReader<Lane::collective> in_;
  Reach reach_;
  Taking taking_;
  Handing handing_;
  std::uint64_t handed_ = 0;  // number of the packet of the message handed over last
  bool in_place_ = false;     // that message lies in the segment, and its reader copies it
  bool mapped_ = false;       // the peer's ring of fragments is in this process's page tables
  bool in_hand_ = false;
  bool in_fragment_ = false;     // the packet in hand lies in a fragment
  LentHeader* timed_ = nullptr;  // of the packet in hand, if it is timed
  // The bytes behind the part in hand of a message that is read in place.
  std::uint32_t left_ = 0, part_ = 0;
  Packet packet_{};
  int self_;
};

}  // namespace tutti::transport::shm
