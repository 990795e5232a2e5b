// SPDX-License-Identifier: BSD-3-Clause
// Store and forward, and the bus: packets go from link to link, and a link serves them one after
// the other. A bus is one link that all nodes share.
//
// The sender hands a packet to the first link when the packet has passed the node (beta) and the
// packet before has left that link. A packet travels for hop after each link; a bus rests for `gap`
// after each packet. The message arrives with its last packet, but not earlier than it would alone.
#pragma once

#include <vector>

#include "simulate/network.hpp"

namespace tutti::simulate {

class Packets : public SimulatedNetwork {
 public:
  explicit Packets(World& world);

  Ticks prepare(Slot slot) override;
  void request(Slot slot) override;
  void event(const Event& event) override;
  void ended(Slot slot, int flags) override;
  [[nodiscard]] bool frees_port(const SimulatedMessage& message) const override;

 private:
  struct Packet {
    Slot message;
    std::uint32_t at;  // index of the next link in the path
    std::int64_t bytes;
    std::int64_t before;  // bytes of the message before this packet
  };
  // The last packet that a link served, and when the link is free.
  struct Link {
    Ticks free = 0;
    Name name;
    std::uint64_t order = 0;
  };
  [[nodiscard]] Slot next_packet(Slot slot);
  void push(Slot packet, Ticks time);
  void pass(Slot packet);
  void leave_node(const Packet& packet, Ticks begin);

  bool bus_;
  std::int64_t packet_bytes_;
  Ticks gap_;
  std::vector<Link> links_;
  std::vector<std::int64_t> injected_;  // bytes given to the first link, by message
  Slab<Packet> packets_;
  Paths<int> paths_;
};

}  // namespace tutti::simulate
