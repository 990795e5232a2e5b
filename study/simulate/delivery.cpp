// SPDX-License-Identifier: BSD-3-Clause
// Protocols of the sender, and receivers that take one message after the other (delivery.hpp).
#include "simulate/delivery.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "simulate/text.hpp"

namespace tutti::simulate {

using machine::Handover;
using machine::Ports;

Delivery::Delivery(World& world, SimulatedRanks& ranks, SimulatedNetwork& network,
                   Observer* observer)
    : world_(world),
      ranks_(ranks),
      network_(network),
      observer_(observer),
      limited_(world.machine.node.ports != Ports::unlimited),
      handover_(world.machine.protocol.handover),
      threshold_(world.machine.protocol.threshold),
      alternates_(limited_ && world.machine.node.ports != Ports::duplex &&
                  !machine::takes_links(world.machine.network.switching)),
      window_(world.machine.node.ports == Ports::half ? -1 : ticks(world.machine.node.window)) {
  if (limited_) ports_.resize(world.interfaces());
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
  message.open = received | port_ends;
  message.granted = ranks_.random(node, world_.machine.node.noise);
  ++messages_;
  bytes_ += message.bytes;
  const bool large = static_cast<double>(message.bytes) > threshold_;
  if (large && handover_ == Handover::reserve)
    return control(slot, node, send.to, MessageKind::request);
  if (large && handover_ == Handover::rendezvous && !ranks_.finds_receive(message)) {
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

Delivery::Port& Delivery::port_of_sender(const SimulatedMessage& message) {
  return ports_[static_cast<std::size_t>(world_.interface_of_sender(message.name))];
}

// A message begins, after it has got its port if ports are limited.
void Delivery::launch(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  if (!limited_ || message.kind != MessageKind::data) return begin(slot);
  Port& port = port_of_sender(message);
  const bool first = !port.sending && port.waiting == no_slot;
  if (first && may_send(port) == world_.now) return begin(slot);
  message.begin = world_.now;
  append(port.waiting, slot);
  if (first) serve(port);
}

// Gives the port to the message that waits first. If the port receives, this looks again at the end
// of that.
void Delivery::serve(Port& port) {
  const Slot slot = port.waiting;
  if (slot == no_slot) return;
  SimulatedMessage& message = world_.messages[slot];
  if (const Ticks time = may_send(port); time > world_.now) {
    world_.events.push({time, ranks_.order(message.origin), slot, What::send, 0});
    return;
  }
  port.waiting = std::exchange(message.next, no_slot);
  message.begin = world_.now;
  begin(slot);
}

// Returns when a port that sends nothing may send: now, or when it has received what it receives.
Ticks Delivery::may_send(const Port& port) const {
  const bool near = world_.now - port.receives_since <= window_;
  return alternates_ && !near ? std::max(world_.now, port.taken_until) : world_.now;
}

void Delivery::begin(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  if (limited_ && message.kind == MessageKind::data) {
    Port& port = port_of_sender(message);
    port.sending = true;
    port.sends_since = world_.now;
  }
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
    case What::send:
      return serve(port_of_sender(world_.messages[event.slot]));
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
  if (handover_ == Handover::forced && !ranks_.finds_receive(message))
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
  Port& port = ports_[static_cast<std::size_t>(world_.interface_of_receiver(message.name))];
  Ticks from = std::max(world_.now - time, port.taken_until);
  if (alternates_) {
    const bool meets = port.sending || port.sent > from;
    if (meets && std::abs(from - port.sends_since) > window_) {
      if (port.sending) return false;
      from = port.sent;
    }
    if (from > port.taken_until) port.receives_since = from;
  }
  port.taken_until = from + time;
  if (port.taken_until > world_.now) {
    world_.push(What::receive, Turn::end, port.taken_until, slot);
  } else {
    taken(slot);
  }
  return true;
}

// The port has sent, so it now receives the messages that arrived meanwhile, in their order. Then
// the message that has waited longest takes its turn.
void Delivery::sent(Port& port) {
  port.sending = false;
  port.sent = world_.now;
  Slot arrived = std::exchange(port.deferred, no_slot);
  while (arrived != no_slot) {
    const Slot next = std::exchange(world_.messages[arrived].next, no_slot);
    static_cast<void>(receive(arrived));
    arrived = next;
  }
  if (port.waiting != no_slot) sent_before(port.waiting);
  serve(port);
}

// Another message has left the port for which this one has waited.
void Delivery::sent_before(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  message.waited += world_.now - message.begin;
  world_.recorder.port_wait(world_.now - message.begin);
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
  ranks_.time(message.name.from).sending += count_of(world_.now - message.begin);
  Port* const port = limited_ ? &port_of_sender(message) : nullptr;
  close(slot, port_ends);
  if (port != nullptr) sent(*port);
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
