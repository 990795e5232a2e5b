// SPDX-License-Identifier: BSD-3-Clause
// Holds packets.
#include "engine/in_flight.hpp"

namespace tutti::engine {

using transport::Channel;
using transport::Packet;

const Packet* InFlight::look_at_held(Channel& channel, transport::Label label) {
  const auto found = held_.find(key_of(channel, label));
  return found == held_.end() ? channel.peek() : &found->second.front().packet;
}

void InFlight::pop_held(Channel& channel, transport::Label label) {
  const auto found = held_.find(key_of(channel, label));
  if (found == held_.end()) return channel.pop();
  found->second.pop_front();
  if (found->second.empty()) held_.erase(found);
}

void InFlight::hold(Channel& channel) {
  const Packet& packet = *channel.peek();
  if (packet.handed_over) {
    // The operation of the packet is copying it. If it has failed, nobody will take the packet.
    if (!progress().expects(packet.label)) channel.pop();
    return;
  }
  Held& held = held_[key_of(channel, packet.label)].emplace_back(
      Held{packet, {packet.payload, packet.payload + packet.bytes}});
  held.packet.payload = held.bytes.data();
  channel.pop();
  progress().note_held();
}

}  // namespace tutti::engine
