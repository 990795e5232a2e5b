// SPDX-License-Identifier: BSD-3-Clause
// Links that serve packets in the order in which they arrive (packets.hpp).
#include "simulate/packets.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace tutti::simulate {
namespace {

std::int64_t packet_of(const machine::Machine& machine) {
  const double packet = machine.network.packet;
  if (!(packet >= 1 && packet < 1e15))
    base::fail(base::Status::invalid_argument, "machine {} has packets of {} bytes", machine.name,
               packet);
  return std::llround(packet);
}

}  // namespace

Packets::Packets(World& world)
    : SimulatedNetwork(world),
      bus_(world.machine.network.switching == machine::Switching::bus),
      packet_bytes_(packet_of(world.machine)),
      gap_(bus_ ? ticks(world.machine.network.gap) : 0),
      links_(bus_ ? 1 : static_cast<std::size_t>(world.topology.links())) {}

bool Packets::frees_port(const SimulatedMessage& message) const {
  return world_.costs.sends_on(message.bytes, message.links);
}

Ticks Packets::prepare(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  const bool control = message.kind != MessageKind::data;
  if (!bus_) static_cast<void>(route(message));
  const std::size_t length = bus_ ? 1 : route_.size();
  message.set_entries(length, 0);
  message.path = paths_.take(length);
  int* const path = paths_.at(message.path);
  for (std::size_t i = 0; i < length; ++i) path[i] = bus_ ? 0 : world_.topology.index(route_[i]);
  return control ? world_.costs.control_before() : world_.costs.before();
}

void Packets::request(Slot slot) {
  if (injected_.size() <= slot) injected_.resize(world_.messages.end());
  injected_[slot] = 0;
  const Slot packet = next_packet(slot);
  pass(packet);
}

Slot Packets::next_packet(Slot slot) {
  const SimulatedMessage& message = world_.messages[slot];
  const Slot packet = packets_.take();
  const std::int64_t before = injected_[slot];
  packets_[packet] = {slot, 0, std::min(packet_bytes_, message.bytes - before), before};
  injected_[slot] += packets_[packet].bytes;
  return packet;
}

void Packets::event(const Event& event) {
  pass(event.slot);
}

void Packets::pass(Slot slot) {
  Packet& packet = packets_[slot];
  SimulatedMessage& message = world_.messages[packet.message];
  const int index = paths_.at(message.path)[packet.at];
  Link& link = links_[static_cast<std::size_t>(index)];
  const Ticks begin = std::max(world_.now, link.free), time = world_.costs.over_link(packet.bytes);
  if (begin > world_.now && link.order != message.order) {
    world_.recorder.contention(index, world_.now, begin - world_.now, message.name, link.name);
    message.waited += begin - world_.now;
  }
  link = {begin + time + gap_, message.name, message.order};
  world_.recorder.use(index, packet.before == 0 ? 1 : 0, packet.bytes, time);
  if (packet.at == 0) leave_node(packet, begin);
  if (++packet.at < message.links) return push(slot, begin + time + world_.costs.hops(1));
  if (packet.before + packet.bytes == message.bytes) {
    const Ticks alone = message.granted + world_.costs.through_node(message.bytes) +
                        world_.costs.hops(message.links);
    world_.push_end(packet.message, std::max(alone, begin + time + world_.costs.hops(1)),
                    path_ends | arrives);
  }
  packets_.give(slot);
}

// A packet gets the first link at `begin`. This schedules the next packet of the message or, after
// the last packet, the end of the send port.
void Packets::leave_node(const Packet& packet, Ticks begin) {
  SimulatedMessage& message = world_.messages[packet.message];
  const Costs& costs = world_.costs;
  const std::int64_t done = packet.before + packet.bytes;
  if (done < message.bytes) {
    const Slot next = next_packet(packet.message);
    const Ticks ready = message.granted + costs.through_node(done);
    return push(next, std::max(ready, begin + costs.over_link(packet.bytes) + gap_));
  }
  if (message.kind != MessageKind::data || !frees_port(message)) return;
  const Ticks alone = message.granted + costs.through_node(packet.before);
  const Ticks port =
      message.granted - costs.before() + costs.send(message.bytes, message.links) + begin - alone;
  world_.push_end(packet.message, std::max(world_.now, port), port_ends);
}

void Packets::push(Slot packet, Ticks time) {
  const SimulatedMessage& message = world_.messages[packets_[packet].message];
  world_.events.push({time, precedence(message), packet, What::packet, 0});
}

void Packets::ended(Slot slot, int flags) {
  const SimulatedMessage& message = world_.messages[slot];
  if (flags & arrives) paths_.give(message.path, message.entries());
}

}  // namespace tutti::simulate
