// SPDX-License-Identifier: BSD-3-Clause
// A channel of the collective lane in shared memory: two packet rings, one each way. Each is made
// at first contact by its writer.
#pragma once

#include "transport/shm/fragments.hpp"
#include "transport/shm/line_ring.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

class ShmChannel final : public Channel {
 public:
  // `self` is a slot, `peer` an endpoint of any generation.
  ShmChannel(const Mapping& mapping, Fragments& fragments, int self, int peer)
      : mapping_(&mapping),
        fragments_(&fragments),
        target_(&mapping.endpoint(slot_of(peer))),
        self_(self),
        publish_every_(static_cast<std::uint64_t>(mapping.tuning().publish_every)),
        peer_(peer) {}

  bool ready() override;
  void post_inline(Label label, const void* payload, std::uint32_t bytes) override;
  void post(Label label, std::uint64_t total, const Fragment& fragment,
            std::uint32_t bytes) override;
  const Packet* peek() override;
  void pop() override;
  [[nodiscard]] int peer() const override { return peer_; }

  // Publishes the number of packets taken so far, so that the peer can see what was left unread.
  void publish_taken();
  // Returns a packet that this endpoint, which leaves, or the peer, if it has left in good order,
  // did not take. All counts of an endpoint are published before it leaves.
  [[nodiscard]] std::optional<UnreadPacket> unread();

 private:
  bool make_outgoing();
  // Returns true if a packet to the peer may be posted. A packet to a rank of the world that has
  // ended is simply never read.
  [[nodiscard]] bool peer_may_come() const;
  void require_peer() const;
  bool find_incoming();
  void publish(Line& line);
  [[nodiscard]] bool room_for_payload() const {
    return out_places_.end() + PayloadPlaces::most <= freed_ + PacketRing::payload_bytes;
  }
  void map_arena();

  const Mapping* mapping_;
  Fragments* fragments_;
  Endpoint* target_;
  PacketRing* out_ = nullptr;
  PacketRing* in_ = nullptr;
  Reader reader_;  // reader of out_
  std::uint64_t sent_ = 0;
  // Number of packets that may be sent before `consumed` must be loaded again.
  std::uint64_t room_until_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t published_ = 0;
  PayloadPlaces out_places_, in_places_;
  std::uint64_t freed_ = 0;  // payload bytes that the reader of out_ has released
  std::uint64_t told_ = 0;   // payload bytes that this reader has released and published
  bool mapped_ = false;      // the peer's arena is in this process's page tables
  bool in_hand_ = false;
  bool in_fragment_ = false;      // the packet in hand lies in a fragment
  std::int64_t timed_since_ = 0;  // ns; 0: the packet in hand is not timed
  Packet packet_{};
  int self_;
  // Packets without a fragment that are taken before their number is published.
  std::uint64_t publish_every_;
  int peer_;
};

}  // namespace tutti::transport::shm
