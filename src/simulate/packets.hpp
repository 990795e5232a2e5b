// SPDX-License-Identifier: BSD-3-Clause
// Store and forward, and the bus: packets go from link to link, a link serves them one after the
// other. On a bus there is one link, which everybody has.
//
// The sender hands a packet to the first link when it has passed the node (beta) and its
// predecessor has left that link. A packet is on its way for hop after each link; a bus rests for
// `gap` after each packet. The message arrives with its last packet, but not before it would have
// when alone.
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
    std::uint32_t at;  // the next link of the path
    std::int64_t bytes;
    std::int64_t before;  // bytes of the message ahead of it
  };
  // What a link did last.
  struct Link {
    Ticks free = 0;
    Name name;
    std::uint64_t sequence = 0;
  };
  [[nodiscard]] Slot next_packet(Slot slot);
  void push(Slot packet, Ticks time);
  void pass(Slot packet);
  void leave_node(const Packet& packet, Ticks begin);

  bool bus_;
  std::int64_t packet_bytes_;
  Ticks gap_;
  std::vector<Link> links_;
  std::vector<std::int64_t> injected_;  // bytes, by message
  Slab<Packet> packets_;
  Paths<int> paths_;
};

}  // namespace tutti::simulate
