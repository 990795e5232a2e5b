// SPDX-License-Identifier: BSD-3-Clause
// Holds packets and advances the operations in flight.
#include "engine/in_flight.hpp"

#include <algorithm>

#include "engine/execution.hpp"

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
  Held& held = held_[key_of(channel, packet.label)].emplace_back(
      Held{packet, {packet.payload, packet.payload + packet.bytes}});
  held.packet.payload = held.bytes.data();
  channel.pop();
  uncovered_ = true;
}

bool InFlight::includes(transport::Label label) const {
  return label == waiting_ ||
         std::any_of(active_.begin(), active_.end(),
                     [label](const Execution* one) { return one->expects(label); });
}

void InFlight::remove(const Execution& execution) {
  std::erase(active_, &execution);
}

bool InFlight::advance() {
  bool moved = *companion_.busy && companion_.advance(companion_.user);
  for (std::size_t i = 0; i < active_.size();) {
    Execution& execution = *active_[i];
    moved = execution.advance() || moved;
    if (execution.under_way()) ++i;  // otherwise it has removed itself
  }
  return moved;
}

bool InFlight::look_around() {
  const Waiter waiter(*this, {});
  if (advance()) return true;
  stuck_ = true;
  // The second call sees packets behind those that the first has held.
  return advance() || advance();
}

}  // namespace tutti::engine
