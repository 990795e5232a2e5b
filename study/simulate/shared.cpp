// SPDX-License-Identifier: BSD-3-Clause
// Flows that begin and end, and equal sharing of links (shared.hpp).
#include "simulate/shared.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::simulate {
namespace {

// Shorter delays, in ticks, come from rounding and are not reported.
constexpr Ticks shortest_wait = 1000;

// Flows whose rates have changed end at whole nanoseconds. Otherwise flows that end together would
// end some rounding errors apart, and would slow others for that long. The offset keeps fractions
// with small denominators from being rounded apart.
Ticks whole_nanoseconds(Ticks time) {
  return (time + 287) / 1000 * 1000;
}

}  // namespace

SharedNetwork::SharedNetwork(World& world)
    : SimulatedNetwork(world),
      max_min_(world.machine.network.switching == machine::Switching::share_max_min),
      alone_(std::max(world.machine.node.beta, world.machine.network.link_beta) *
             ticks_per_microsecond),
      link_cost_(world.machine.network.link_beta * ticks_per_microsecond),
      links_(static_cast<std::size_t>(world.topology.links())) {
  if (max_min_) place_.resize(links_.size(), -1);
}

Ticks SharedNetwork::prepare(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  const machine::Route& way = route(message);
  message.set_entries(way.size(), 0);
  message.path = hops_.take(way.size());
  for (std::size_t i = 0; i < way.size(); ++i)
    *hops_.at(message.path + static_cast<std::uint32_t>(i)) = {world_.topology.index(way[i]), slot,
                                                               none, none};
  if (flows_.size() <= slot) flows_.resize(world_.messages.end());
  flow(slot) = Flow{};
  const bool control = message.kind != MessageKind::data;
  return control ? world_.costs.control_before() : world_.costs.before();
}

void SharedNetwork::request(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  message.granted = world_.now;
  const Ticks time = ticks(alone_ * static_cast<double>(message.bytes) / ticks_per_microsecond);
  if (time == 0)
    return world_.push_end(slot, world_.now + world_.costs.hops(message.links),
                           path_ends | arrives);
  Flow& mine = flow(slot);
  mine.left = static_cast<double>(message.bytes);
  mine.cost = alone_;
  mine.since = world_.now;
  mine.due = world_.now + time;
  mine.moving = true;
  mine.scheduled = mine.due;
  world_.push(What::flow, Turn::end, mine.due, slot);
  if (link_cost_ > 0) join(slot);
}

void SharedNetwork::join(Slot slot) {
  const SimulatedMessage& message = world_.messages[slot];
  for (std::uint32_t at = message.path; at < message.path + message.entries(); ++at) {
    Link& here = link(hop(at).link);
    hop(at).next = here.first;
    if (here.first != none) hop(here.first).previous = at;
    here.first = at;
    if (here.flows++ == 0) here.since = world_.now;
    mark(hop(at).link);
  }
}

void SharedNetwork::leave(Slot slot) {
  const SimulatedMessage& message = world_.messages[slot];
  for (std::uint32_t at = message.path; at < message.path + message.entries(); ++at) {
    const Hop& mine = hop(at);
    Link& here = link(mine.link);
    if (mine.previous == none) {
      here.first = mine.next;
    } else {
      hop(mine.previous).next = mine.next;
    }
    if (mine.next != none) hop(mine.next).previous = mine.previous;
    --here.flows;
    world_.recorder.use(mine.link, 1, message.bytes, here.flows == 0 ? world_.now - here.since : 0);
    mark(mine.link);
  }
}

void SharedNetwork::mark(int index) {
  if (std::exchange(link(index).dirty, true)) return;
  dirty_.push_back(index);
}

// The event may belong to a flow that has ended, or that was slowed meanwhile. It is then ignored
// or repeated later.
void SharedNetwork::event(const Event& event) {
  const SimulatedMessage& message = world_.messages[event.slot];
  Flow& mine = flow(event.slot);
  if (!mine.moving || mine.scheduled != event.time || event.order != message.order) return;
  if (mine.due > world_.now) {
    mine.scheduled = mine.due;
    return world_.push(What::flow, Turn::end, mine.due, event.slot);
  }
  finish(event.slot);
}

void SharedNetwork::finish(Slot slot) {
  SimulatedMessage& message = world_.messages[slot];
  Flow& mine = flow(slot);
  mine.moving = false;
  if (link_cost_ > 0) leave(slot);
  const Ticks alone = ticks(alone_ * static_cast<double>(message.bytes) / ticks_per_microsecond);
  const Ticks wait = world_.now - message.granted - alone;
  if (mine.slowed && wait > shortest_wait) {
    message.waited += wait;
    world_.recorder.contention(mine.link, mine.slowed_at, wait, message.name, mine.blocking);
  }
  if (mine.holds_port) world_.push_end(slot, world_.now, port_ends);
  world_.push_end(slot, world_.now + world_.costs.hops(message.links), path_ends | arrives);
}

bool SharedNetwork::keeps_port(Slot slot) {
  Flow& mine = flow(slot);
  mine.holds_port = mine.moving && mine.slowed;
  return mine.holds_port;
}

void SharedNetwork::ended(Slot slot, int flags) {
  const SimulatedMessage& message = world_.messages[slot];
  if (flags & arrives) hops_.give(message.path, message.entries());
}

void SharedNetwork::settle() {
  if (dirty_.empty()) return;
  if (max_min_) {
    share_max_min();
  } else {
    share_equally();
  }
  for (const int index : dirty_) {
    link(index).dirty = false;
    link(index).settled = link(index).flows;
  }
  dirty_.clear();
}

void SharedNetwork::share_equally() {
  ++stamp_;
  for (const int index : dirty_) {
    const Link& here = link(index);
    for (std::uint32_t at = here.first; at != none; at = hop(at).next) {
      const Slot slot = hop(at).message;
      Flow& mine = flow(slot);
      // The flow's rate can change only if this link is fuller than its fullest link, or was its
      // fullest and has lost flows.
      const bool fuller = here.flows > mine.most,
                 emptier = here.settled == mine.most && here.flows < here.settled;
      if ((!fuller && !emptier) || mine.stamp == stamp_) continue;
      mine.stamp = stamp_;
      share_fullest(slot);
    }
  }
}

// Sets the rate of a flow, which moves as fast as on its fullest link.
void SharedNetwork::share_fullest(Slot slot) {
  const SimulatedMessage& message = world_.messages[slot];
  int most = 0, where = 0;
  for (std::uint32_t on = message.path; on < message.path + message.entries(); ++on) {
    const int flows = link(hop(on).link).flows;
    if (flows <= most) continue;
    most = flows;
    where = hop(on).link;
  }
  flow(slot).most = most;
  set_cost(slot, link_cost_ * most, where);
}

void SharedNetwork::set_cost(Slot slot, double cost, int where) {
  Flow& mine = flow(slot);
  const bool slower = cost > alone_ * (1 + 1e-9);
  if (!slower) cost = alone_;
  if (std::abs(cost - mine.cost) <= 1e-12 * cost) return;
  mine.left = std::max(0.0, mine.left - static_cast<double>(world_.now - mine.since) / mine.cost);
  mine.since = world_.now;
  mine.cost = cost;
  mine.due = std::max(
      world_.now, whole_nanoseconds(world_.now + std::llround(std::min(mine.left * cost, 2e18))));
  if (slower && !mine.slowed) note_slowed(slot, where);
  if (mine.due >= mine.scheduled) return;
  mine.scheduled = mine.due;
  world_.push(What::flow, Turn::end, mine.due, slot);
}

// Notes which message slows the flow: the first in precedence among the others on the link.
void SharedNetwork::note_slowed(Slot slot, int where) {
  Flow& mine = flow(slot);
  mine.slowed = true;
  mine.slowed_at = world_.now;
  mine.link = where;
  Slot other = no_slot;
  for (std::uint32_t at = link(where).first; at != none; at = hop(at).next) {
    const Slot candidate = hop(at).message;
    if (candidate == slot) continue;
    if (other == no_slot ||
        precedence(world_.messages[candidate]) < precedence(world_.messages[other]))
      other = candidate;
  }
  mine.blocking = world_.messages[other == no_slot ? slot : other].name;
}

}  // namespace tutti::simulate
