// SPDX-License-Identifier: BSD-3-Clause
// Tracks which message has each link, and which is next (exclusive.hpp).
#include "simulate/exclusive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulate/queue.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {
namespace {

bool first_served(const SimulatedMessage& a, const SimulatedMessage& b) {
  return precedence(a) < precedence(b);
}

}  // namespace

Exclusive::Exclusive(World& world)
    : SimulatedNetwork(world),
      worm_(machine::takes_link_by_link(world.machine.network.switching)),
      ports_(world.machine.node.ports),
      window_(ticks(world.machine.node.window)),
      links_(world.topology.links()),
      holders_(static_cast<std::size_t>(links_), no_slot) {
  if (ports_ != machine::Ports::unlimited)
    holders_.resize(holders_.size() + 2 * world.interfaces(), no_slot);
  if (holders_.size() > most_resources)
    base::fail(base::Status::invalid_argument, "machine {} has more than {} links and ports",
               world.machine.name, most_resources);
}

void Exclusive::request(Slot slot) {
  advance(slot);
}

void Exclusive::event(const Event& event) {
  advance(event.slot);
}

Ticks Exclusive::prepare(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  laid_.clear();
  for (const machine::Link link : route(message))
    laid_.emplace_back(world_.topology.index(link), Use::takes, path_ends);
  const std::size_t links = laid_.size();
  message.set_entries(links, 0);
  if (message.kind == MessageKind::data && ports_ != machine::Ports::unlimited) lay_ports(message);
  message.set_entries(links, laid_.size() - links);
  message.taken = 0;
  message.path = paths_.take(laid_.size());
  if (worm_) static_cast<void>(since_.take(laid_.size()));
  std::copy(laid_.begin(), laid_.end(), paths_.at(message.path));
  return message.kind == MessageKind::data ? world_.costs.before() : world_.costs.control_before();
}

// If ports are windowed, receiving uses port 0 and sending port 1 of a network interface. Otherwise
// both use port 0.
void Exclusive::lay_ports(const SimulatedMessage& message) {
  const int from = world_.interface_of_sender(message.name);
  const int to = world_.interface_of_receiver(message.name);
  const bool sends_on = world_.costs.sends_on(message.bytes, message.links);
  const bool windowed = ports_ == machine::Ports::windowed;
  if (windowed) laid_.emplace_back(port(from, 0), Use::waits_for, arrives);
  if (sends_on && ports_ != machine::Ports::duplex)
    laid_.emplace_back(port(from, windowed ? 1 : 0), Use::takes, port_ends);
  laid_.emplace_back(port(to, 0), Use::takes, arrives);
  if (windowed) laid_.emplace_back(port(to, 1), Use::waits_for, arrives);
}

bool Exclusive::blocks(const Entry& entry) const {
  const Slot slot = holder(entry.resource());
  if (slot == no_slot) return false;
  return entry.taken() || world_.now - begun(world_.messages[slot]) > window_;
}

void Exclusive::take(Slot slot, const Entry& entry) {
  if (!entry.taken()) return;
  holder(entry.resource()) = slot;
  if (!worm_) return;
  const SimulatedMessage& message = world_.messages[slot];
  since_.at(message.path)[&entry - paths_.at(message.path)] = world_.now;
}

bool Exclusive::take_together(Slot slot, std::uint32_t first) {
  const Entry* const begin = entries(slot) + first;
  const Entry* const end = entries(slot) + world_.messages[slot].entries();
  for (const Entry* entry = begin; entry != end; ++entry) {
    if (!blocks(*entry)) continue;
    wait_for(slot, entry->resource());
    return false;
  }
  for (const Entry* entry = begin; entry != end; ++entry) take(slot, *entry);
  return true;
}

void Exclusive::advance(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  if (worm_) return advance_worm(slot);
  if (!take_together(slot, 0)) return;
  message.granted = world_.now;
  begin_transfer(slot);
}

// The head takes the ports when it has reached its destination.
void Exclusive::advance_worm(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  const Ticks hop = world_.costs.hops(1);
  while (message.taken < message.links) {
    const Entry& entry = entries(slot)[message.taken];
    if (blocks(entry)) return wait_for(slot, entry.resource());
    take(slot, entry);
    ++message.taken;
    if (hop > 0) return world_.push(What::head, Turn::request, world_.now + hop, slot);
  }
  if (!take_together(slot, message.links)) return;
  message.granted = world_.now - world_.costs.hops(message.links);
  begin_transfer(slot);
}

void Exclusive::begin_transfer(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  const Costs& costs = world_.costs;
  if (message.kind != MessageKind::data) {
    const Ticks end = message.granted + costs.control_transfer(message.links);
    return push_ends(slot, end, end, -1);
  }
  const Ticks after = costs.send(message.bytes, message.links) - costs.before();
  const Ticks port = after > 0 ? message.granted + after : -1;
  push_ends(slot, message.granted + costs.path(message.bytes, message.links),
            message.granted + costs.transfer(message.bytes, message.links), port);
}

// Ends that happen at one instant are one event.
void Exclusive::push_ends(Slot slot, Ticks path, Ticks arrival, Ticks port) {
  const auto at = [&](Ticks time) {
    return (path == time ? path_ends : 0) | (arrival == time ? arrives : 0) |
           (port == time ? port_ends : 0);
  };
  const auto push = [&](Ticks time, int flags) {
    world_.push_end(slot, std::max(time, world_.now), flags);
  };
  push(path, at(path));
  if (arrival != path) push(arrival, at(arrival));
  if (port >= 0 && port != path && port != arrival) push(port, port_ends);
}

void Exclusive::wait_for(Slot slot, int resource) {
  SimulatedMessage& message = world_.messages[slot];
  const Slot by = holder(resource);
  message.waiting = waits_.take();
  waits_[message.waiting] = {world_.messages[by].name, world_.now, resource};
  Entry* const entry = find_taken(by, resource);
  entry->queue = add(world_.messages, entry->queue, slot, first_served);
}

Exclusive::Entry* Exclusive::find_taken(Slot slot, int resource) {
  Entry* entry = entries(slot);
  while (entry->resource() != resource || !entry->taken()) ++entry;
  return entry;
}

void Exclusive::ended(Slot slot, int flags) {
  SimulatedMessage& message = world_.messages[slot];
  Entry* const way = entries(slot);
  for (std::uint32_t i = 0; i < message.entries(); ++i) {
    Entry& entry = way[i];
    if (!entry.taken() || !entry.ends_with(flags)) continue;
    holder(entry.resource()) = no_slot;
    if (is_link(entry.resource()))
      world_.recorder.use(entry.resource(), 1, message.bytes, world_.now - since(message, i));
    if (entry.queue == no_slot) continue;
    freed_.push_back({precedence(world_.messages[entry.queue]), entry.resource(), entry.queue});
    std::push_heap(freed_.begin(), freed_.end());
    entry.queue = no_slot;
  }
  if ((message.open & ~flags & (path_ends | arrives | port_ends)) != 0) return;
  paths_.give(message.path, message.entries());
  if (worm_) since_.give(message.path, message.entries());
}

bool Exclusive::admit(std::uint64_t before) {
  if (freed_.empty() || freed_.front().order > before) return false;
  std::pop_heap(freed_.begin(), freed_.end());
  const Freed freed = freed_.back();
  freed_.pop_back();
  const Slot slot = freed.queue;
  if (holder(freed.resource) != no_slot) {
    hand_over(freed.resource, slot);
    return true;
  }
  const Slot rest = without_top(world_.messages, slot, first_served);
  SimulatedMessage& message = world_.messages[slot];
  const Wait& waited = waits_[message.waiting];
  const Ticks wait = world_.now - waited.since;
  message.waited += wait;
  if (is_link(freed.resource)) {
    world_.recorder.contention(freed.resource, waited.since, wait, message.name, waited.blocking);
  } else {
    world_.recorder.port_wait(wait);
  }
  waits_.give(message.waiting);
  message.waiting = no_slot;
  if (rest != no_slot) {
    freed_.push_back({precedence(world_.messages[rest]), freed.resource, rest});
    std::push_heap(freed_.begin(), freed_.end());
  }
  advance(slot);
  return true;
}

// The resource was taken again before all waiting messages were admitted, so they wait for its new
// holder.
void Exclusive::hand_over(int resource, Slot queue) {
  Entry* const entry = find_taken(holder(resource), resource);
  entry->queue = meld(world_.messages, entry->queue, queue, first_served);
}

std::string Exclusive::cycle() const {
  const MessageSlab& messages = world_.messages;
  for (const Slot first : holders_) {
    Slot at = first;
    for (std::size_t i = 0; i <= messages.end() && at != no_slot; ++i)
      at =
          messages[at].waiting == no_slot ? no_slot : holder(waits_[messages[at].waiting].resource);
    if (at == no_slot) continue;
    std::string text = "messages wait for each other's links: ";
    const Slot begin = at;
    do {
      const SimulatedMessage& message = messages[at];
      text += fmt::format("{} waits for {}, which ", to_text(message.name, world_.hosts),
                          link_text(world_.machine, waits_[message.waiting].resource));
      at = holder(waits_[message.waiting].resource);
    } while (at != begin);
    return text + fmt::format("{} has", to_text(messages[begin].name, world_.hosts));
  }
  return {};
}

}  // namespace tutti::simulate
