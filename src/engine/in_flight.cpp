// SPDX-License-Identifier: BSD-3-Clause
// Holds packets and advances the operations in flight.
#include "engine/in_flight.hpp"

#include <algorithm>

#include "engine/execution.hpp"

namespace tutti::engine {

using transport::Channel;
using transport::Packet;

std::list<InFlight::Held>::iterator InFlight::find(int endpoint, std::uint64_t tag) {
  return std::find_if(held_.begin(), held_.end(), [&](const Held& held) {
    return held.endpoint == endpoint && held.packet.tag == tag;
  });
}

const Packet* InFlight::look_at_held(Channel& channel, std::uint64_t tag) {
  const auto found = find(channel.peer(), tag);
  return found == held_.end() ? channel.peek() : &found->packet;
}

void InFlight::pop_held(Channel& channel, std::uint64_t tag) {
  const auto found = find(channel.peer(), tag);
  if (found == held_.end()) return channel.pop();
  held_.erase(found);
}

void InFlight::hold(Channel& channel) {
  const Packet& packet = *channel.peek();
  Held& held = held_.emplace_back(
      Held{channel.peer(), packet, {packet.payload, packet.payload + packet.bytes}});
  held.packet.payload = held.bytes.data();
  channel.pop();
  uncovered_ = true;
}

bool InFlight::includes(std::uint64_t tag) const {
  return tag == waiting_ || std::any_of(active_.begin(), active_.end(),
                                        [tag](const Execution* one) { return one->tag() == tag; });
}

void InFlight::remove(const Execution& execution) {
  std::erase(active_, &execution);
}

bool InFlight::advance() {
  bool moved = false;
  for (std::size_t i = 0; i < active_.size();) {
    Execution& execution = *active_[i];
    moved = execution.advance() || moved;
    if (execution.under_way()) ++i;  // otherwise it has removed itself
  }
  return moved;
}

bool InFlight::look_around() {
  const Waiter waiter(*this, 0);
  if (advance()) return true;
  stuck_ = true;
  // The second call sees packets behind those that the first has held.
  return advance() || advance();
}

}  // namespace tutti::engine
