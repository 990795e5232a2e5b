// SPDX-License-Identifier: BSD-3-Clause
// Protocols of the sender, and receivers that take one message after the other (delivery.hpp).
#include "simulate/delivery.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "simulate/text.hpp"

namespace tutti::simulate {

using machine::Handover;

Delivery::Delivery(World& world, SimulatedRanks& ranks, SimulatedNetwork& network,
                   Observer* observer)
    : world_(world),
      ranks_(ranks),
      network_(network),
      observer_(observer),
      limited_(world.machine.node.ports != machine::Ports::unlimited),
      handover_(world.machine.protocol.handover),
      threshold_(world.machine.protocol.threshold) {
  if (limited_) taken_until_.resize(world.interfaces());
  if (limited_) shared_.resize(world.interfaces());
  const bool paths = machine::takes_links(world.machine.network.switching);
  const machine::Ports ports = world.machine.node.ports;
  // Circuits and wormholes have the ports in their paths, so no ports are kept here.
  if (paths || ports == machine::Ports::unlimited || ports == machine::Ports::duplex) return;
  window_ = ports == machine::Ports::half ? -1 : ticks(world.machine.node.window);
  ports_.resize(world.interfaces());
}

Slot Delivery::make(const Name& name, std::int64_t bytes, MessageKind kind) {
  const Slot slot = world_.messages.take();
  SimulatedMessage& message = world_.messages[slot];
  message = SimulatedMessage{};
  message.name = name;
  message.bytes = bytes;
  message.begin = world_.now;
  message.order = Event::make_order(Turn::end, world_.hosts.place_of(name.from), ++sequence_);
  message.waiting = no_slot;
  message.next = message.first = no_slot;
  message.kind = kind;
  message.open = received;
  return slot;
}

void Delivery::send(Slot strand, const Send& send) {
  const int node = ranks_.node(strand);
  const Strand& sender = ranks_[strand];
  const Slot slot =
      make({sender.phase, sender.round + 1, node, send.to}, send.bytes, MessageKind::data);
  SimulatedMessage& message = world_.messages[slot];
  message.origin = strand;
  message.context = sender.context();
  message.history = sender.history;
  if (!ports_.empty()) {
    Port& port = ports_[static_cast<std::size_t>(world_.interface_of_sender(message.name))];
    port.sending = true;
    port.sends_since = world_.now;
  }
  message.open = received | port_ends;
  message.granted = ranks_.random(node, world_.machine.node.noise);
  ++messages_;
  bytes_ += message.bytes;
  const bool large = static_cast<double>(message.bytes) > threshold_;
  if (large && handover_ == Handover::reserve)
    return control(slot, node, send.to, MessageKind::request);
  if (large && handover_ == Handover::rendezvous && !ranks_.posted(message)) {
    message.next = ranks_.waiters(send.to);
    ranks_.waiters(send.to) = slot;
    return;
  }
  launch(slot);
}

void Delivery::posted(int node) {
  Slot waiting = std::exchange(ranks_.waiters(node), no_slot);
  while (waiting != no_slot) {
    SimulatedMessage& message = world_.messages[waiting];
    const Slot next = std::exchange(message.next, no_slot);
    if (ranks_.posted(message)) {
      launch(waiting);
    } else {
      message.next = ranks_.waiters(node);
      ranks_.waiters(node) = waiting;
    }
    waiting = next;
  }
}

// Takes the network interface for a message. If another message is being sent through it, the
// message waits, and is launched when its turn comes.
bool Delivery::take_port(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  if (shared_.empty() || message.kind != MessageKind::data) return true;
  const auto interface = static_cast<std::size_t>(world_.interface_of_sender(message.name));
  SharedPort& port = shared_[interface];
  if (port.sending) {
    message.begin = world_.now;
    append(port.waiting, slot);
    return false;
  }
  port.sending = true;
  if (!ports_.empty()) ports_[interface].sending = true;
  return true;
}

void Delivery::give_port(int interface) {
  if (shared_.empty()) return;
  SharedPort& port = shared_[static_cast<std::size_t>(interface)];
  port.sending = false;
  const Slot slot = port.waiting;
  if (slot == no_slot) return;
  SimulatedMessage& message = world_.messages[slot];
  port.waiting = std::exchange(message.next, no_slot);
  message.waited += world_.now - message.begin;
  world_.recorder.port_wait(world_.now - message.begin);
  message.begin = world_.now;
  launch(slot);
}

void Delivery::launch(Slot slot) {
  if (!take_port(slot)) return;
  SimulatedMessage& message = world_.messages[slot];
  const Ticks noise = message.granted;
  message.granted = world_.now + network_.prepare(slot) + noise;
  if (message.kind == MessageKind::data && !network_.frees_port(message)) {
    const Ticks send = world_.costs.send(message.bytes, message.links);
    world_.push(What::port, Turn::end, world_.now + send + noise, slot);
  }
  if (message.granted == world_.now) return world_.ask_now(slot);
  world_.push(What::request, Turn::request, message.granted, slot);
}

void Delivery::control(Slot about, int from, int to, MessageKind kind) {
  const Name& data = world_.messages[about].name;
  const Slot slot = make({data.phase, data.step, from, to}, 0, kind);
  world_.messages[slot].origin = about;
  world_.messages[slot].granted = ranks_.random(from, world_.machine.node.noise);
  ++controls_;
  launch(slot);
}

void Delivery::event(const Event& event) {
  switch (event.what) {
    case What::request:
      return network_.request(event.slot);
    case What::receive:
      return taken(event.slot);
    case What::port:
      if (!network_.keeps_port(event.slot)) port_free(event.slot);
      return;
    case What::ends:
      network_.ended(event.slot, event.flags);
      if (event.flags & path_ends) close(event.slot, path_ends);
      if (event.flags & arrives) arrived(event.slot);
      if (event.flags & port_ends) port_free(event.slot);
      return;
    default:
      return network_.event(event);
  }
}

void Delivery::arrived(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  if (message.kind != MessageKind::data) {
    const Slot about = message.origin;
    const Name& data = world_.messages[about].name;
    if (message.kind == MessageKind::request) {
      control(about, data.to, data.from, MessageKind::answer);
    } else {
      launch(about);
    }
    return close(slot, arrives | received);
  }
  if (handover_ == Handover::forced && !ranks_.posted(message))
    throw Failure(
        Failure::Kind::lost,
        fmt::format(
            "the message {} is lost: it came after {:.6g} us, before its receive was posted",
            to_text(message.name, world_.hosts), microseconds(world_.now)));
  close(slot, arrives);
  if (!limited_) return taken(slot);
  ranks_.time(message.name.to).receiving += count_of(world_.costs.receive(message.bytes));
  if (receive(slot)) return;
  append(ports_[static_cast<std::size_t>(world_.interface_of_receiver(message.name))].deferred,
         slot);
}

// Receives a message that has arrived. This ends now at the earliest. Returns false if the message
// has to wait until the node has sent.
bool Delivery::receive(Slot slot) {
  const SimulatedMessage& message = world_.messages[slot];
  const Ticks time = world_.costs.receive(message.bytes);
  const auto interface = static_cast<std::size_t>(world_.interface_of_receiver(message.name));
  Ticks& taken_until = taken_until_[interface];
  Ticks from = std::max(world_.now - time, taken_until);
  if (!ports_.empty()) {
    Port& port = ports_[interface];
    const bool meets = port.sending || port.sent > from;
    if (meets && std::abs(from - port.sends_since) > window_) {
      if (port.sending) return false;
      from = port.sent;
    }
    if (from > taken_until) port.receives_since = from;
  }
  taken_until = from + time;
  if (taken_until > world_.now) {
    world_.push(What::receive, Turn::end, taken_until, slot);
  } else {
    taken(slot);
  }
  return true;
}

Ticks Delivery::may_send(Slot strand, int to) const {
  if (ports_.empty()) return world_.now;
  const Strand& sender = ranks_[strand];
  const auto interface = static_cast<std::size_t>(
      world_.interface_of_sender({sender.phase, sender.round + 1, ranks_.node(strand), to}));
  const Port& port = ports_[interface];
  const Ticks taken_until = taken_until_[interface];
  const bool near = world_.now - port.receives_since <= window_;
  return taken_until > world_.now && !near ? taken_until : world_.now;
}

// The interface has sent, so it now receives the messages that arrived meanwhile, in their order.
void Delivery::sent(Port& port) {
  port.sending = false;
  port.sent = world_.now;
  Slot waiting = std::exchange(port.deferred, no_slot);
  while (waiting != no_slot) {
    const Slot next = std::exchange(world_.messages[waiting].next, no_slot);
    static_cast<void>(receive(waiting));
    waiting = next;
  }
}

void Delivery::append(Slot& list, Slot slot) {
  Slot* at = &list;
  while (*at != no_slot) at = &world_.messages[*at].next;
  world_.messages[slot].next = no_slot;
  *at = slot;
}

void Delivery::taken(Slot slot) {
  const SimulatedMessage& message = world_.messages[slot];
  if (observer_ != nullptr)
    observer_->transfer({message.name, message.bytes, microseconds(message.begin),
                         microseconds(message.granted), microseconds(world_.now)});
  if (ranks_.received(slot)) close(slot, received);
}

void Delivery::port_free(Slot slot) {
  const SimulatedMessage& message = world_.messages[slot];
  const Slot strand = message.origin;
  const Name name = message.name;
  const int interface = world_.interface_of_sender(message.name);
  ranks_.time(message.name.from).sending += count_of(world_.now - message.begin);
  close(slot, port_ends);
  if (!ports_.empty()) sent(ports_[static_cast<std::size_t>(interface)]);
  give_port(interface);
  ranks_.sent(strand, name);
}

void Delivery::report(Report& report) const {
  report.messages = messages_;
  report.controls = controls_;
  report.bytes = bytes_;
}

void Delivery::close(Slot slot, int flags) {
  SimulatedMessage& message = world_.messages[slot];
  message.open &= static_cast<std::uint8_t>(~flags);
  if (message.open == 0) world_.messages.give(slot);
}

}  // namespace tutti::simulate
