// SPDX-License-Identifier: BSD-3-Clause
// A channel of the collective lane in shared memory: two rings, one each way.
#pragma once

#include "transport/shm/lent_memory.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/ring.hpp"

namespace tutti::transport::shm {

class ShmChannel final : public Channel {
 public:
  // `self` is a slot, `peer` an endpoint of any generation.
  ShmChannel(const Mapping& mapping, LentMemory& fragments, int self, int peer)
      : mapping_(&mapping),
        fragments_(&fragments),
        out_(mapping, self, peer),
        in_(mapping, self, peer),
        self_(self) {}

  bool ready() override;
  void post_inline(Label label, const void* payload, std::uint32_t bytes) override;
  void post(Label label, std::uint64_t total, const Lent& fragment, std::uint32_t bytes) override;
  const Packet* peek() override;
  void pop() override;
  [[nodiscard]] int peer() const override { return out_.peer(); }
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

  const Mapping* mapping_;
  LentMemory* fragments_;
  RingWriter<Lane::collective> out_;
  RingReader<Lane::collective> in_;
  bool mapped_ = false;  // the peer's ring of fragments is in this process's page tables
  bool in_hand_ = false;
  bool in_fragment_ = false;     // the packet in hand lies in a fragment
  LentHeader* timed_ = nullptr;  // of the packet in hand, if it is timed
  Packet packet_{};
  int self_;
};

}  // namespace tutti::transport::shm
