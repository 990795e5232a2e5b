// SPDX-License-Identifier: BSD-3-Clause
// Strands that wait for each other: barriers, partners, and deadlocks (ranks.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "schedule/printer.hpp"
#include "simulate/delivery.hpp"
#include "simulate/ranks.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {

// Ranks leave the barrier together. All others have waited for the last one to arrive.
void SimulatedRanks::arrive_at_barrier(Slot program) {
  Strand& last = strands_[program];
  last.state = StrandState::at_barrier;
  last.free_since = world_.now;
  if (++at_barrier_ < count()) return;
  at_barrier_ = 0;
  const auto& costs = world_.machine.synchronisation;
  if (!costs.barrier && !costs.barrier_dimension)
    base::fail(base::Status::invalid_argument, "machine {} does not say what a barrier costs",
               world_.machine.name);
  const auto dimensions = static_cast<double>(world_.topology.extents().size());
  const Ticks end = world_.now + ticks(costs.barrier.value_or(0) +
                                       costs.barrier_dimension.value_or(0) * dimensions);
  const int node = strands_.node(program);
  const History::Id wait = history_.add(
      {PathStep::Kind::barrier, node, node, last.phase, 0, world_.now, end, 0, last.history});
  for (Slot other = 0; other < static_cast<Slot>(count()); ++other) {
    Strand& strand = strands_[other];
    strand.history = wait;
    time(strands_.node(other)).waiting += count_of(end - strand.free_since);
    interval(Activity::synchronise, other, strand.free_since, end);
    go_at(other, end, StrandState::between);
  }
}

Ticks SimulatedRanks::pair_time(int a, int b) const {
  const auto& costs = world_.machine.synchronisation;
  if (!costs.pair && !costs.pair_hop)
    base::fail(base::Status::invalid_argument,
               "machine {} does not say what it costs a pair to synchronise", world_.machine.name);
  const auto links = static_cast<double>(
      world_.topology.route(world_.hosts.place_of(a), world_.hosts.place_of(b)).size());
  return ticks(costs.pair.value_or(0) + costs.pair_hop.value_or(0) * links);
}

// The partner is the node to which the strand sends in the round and from which it also receives.
void SimulatedRanks::note_partner(Strand& strand, int from) const {
  Slot send = strand.first_send;
  while (send != no_slot && sends_[send].to != from) send = sends_[send].next;
  if (send == no_slot) return;
  if (strand.partner >= 0 && strand.partner != from)
    base::fail(base::Status::invalid_argument,
               "phase {}, {}: exchanges with both {} and {} are no pair", strand.phase,
               schedule::round_name(strand.round), strand.partner, from);
  strand.partner = from;
}

void SimulatedRanks::pair_up(Slot slot) {
  Strand& strand = strands_[slot];
  if (strand.partner < 0) return exchange(slot);
  strand.state = StrandState::pairing;
  strand.free_since = world_.now;
  const int node = strands_.node(slot), partner = strand.partner;
  const Slot there = strands_.in(partner, strand.context());
  if (there == no_slot) return;
  Strand& other = strands_[there];
  if (other.state != StrandState::pairing || other.partner != node || other.round != strand.round)
    return;
  const Ticks end = world_.now + pair_time(node, partner);
  if (other.free_since < world_.now) {
    other.history = history_.add({PathStep::Kind::pair, partner, node, strand.phase,
                                  strand.round + 1, world_.now, world_.now, 0, strand.history});
  }
  for (const Slot one : {slot, there}) {
    const Strand& each = strands_[one];
    time(strands_.node(one)).waiting += count_of(end - each.free_since);
    interval(Activity::synchronise, one, each.free_since, end);
    go_at(one, end, StrandState::paired);
  }
}

// A rank that sends meanwhile does not wait.
void SimulatedRanks::wake(int node) {
  const auto program = static_cast<Slot>(node);
  Strand& strand = strands_[program];
  if (strand.state != StrandState::asleep) return;
  ranks_[static_cast<std::size_t>(node)].sleeps_until = -1;
  if (world_.now > strand.free_since && !strands_.has_started(node)) {
    time(node).waiting += count_of(world_.now - strand.free_since);
    if (came_ != nullptr && came_->name.to == node)
      note_message(program, *came_);
    else if (telling_ != node)
      note_wait(program, PathStep::Kind::processor, telling_, world_.now, 0,
                strands_[static_cast<Slot>(telling_)].history);
  }
  go_at(program, world_.now, StrandState::between);
}

void SimulatedRanks::tell_left(const Name& message) {
  Strand& program = strands_[static_cast<Slot>(message.from)];
  if (program.state == StrandState::asleep) program.free_since = world_.now;
  telling_ = message.from;
  source_.left(message.from, message.to, message.step - 1);
}

void SimulatedRanks::tell_came(const SimulatedMessage& message) {
  telling_ = message.name.to;
  came_ = &message;
  source_.came(message.name.to, message.name.from, message.name.step - 1);
  came_ = nullptr;
}

void SimulatedRanks::open_receive(int node, RequestNumber request, int from) {
  requests_.open(node, {request, from});
}

void SimulatedRanks::meet(int node, RequestNumber request, int from, int number) {
  check_node(node, from);
  requests_.meet(node, request, from, number);
  const Slot early =
      meetings_.post(Meetings::key(node, from, number, no_operation), OnArrival::taken);
  if (early != no_slot) {
    const SimulatedMessage& message = world_.messages[early];
    if (has_waited(node, request)) note_message(static_cast<Slot>(node), message);
    tell_came(message);
    delivery_->matched(early);
    return done(node, request);
  }
  if (waiters(node) != no_slot) delivery_->posted(node);
}

void SimulatedRanks::close_receive(int node, RequestNumber request) {
  done(node, request);
}

bool SimulatedRanks::finds_receive(const SimulatedMessage& message) {
  if (message.context == no_operation && !meetings_.awaited(Meetings::key(message))) {
    telling_ = message.name.to;
    came_ = &message;
    source_.arrived(message.name.to, message.name.from, message.name.step - 1);
    came_ = nullptr;
  }
  return posted(message);
}

SimulatedRanks::Blame SimulatedRanks::blame(Slot slot) const {
  const Strand& strand = strands_[slot];
  const auto& hosts = world_.hosts;
  switch (strand.state) {
    case StrandState::pairing:
      return {strand.partner, fmt::format("for {} to synchronise", hosts.name_of(strand.partner))};
    case StrandState::at_barrier: {
      Slot other = 0;
      while (other + 1 < static_cast<Slot>(count()) &&
             strands_[other].state == StrandState::at_barrier)
        ++other;
      const int late = strands_.node(other);
      return {late, fmt::format("at a barrier for {}", hosts.name_of(late))};
    }
    case StrandState::awaiting:
      return blame_request(slot);
    case StrandState::asleep:
      return blame_asleep(slot);
    default:
      return blame_sender(slot);
  }
}

// The strand waits for a message, or for a receiver.
SimulatedRanks::Blame SimulatedRanks::blame_sender(Slot slot) const {
  const Strand& strand = strands_[slot];
  const int node = strands_.node(slot);
  if (strand.receives > 0 && strand.sends == 0) {
    std::pair<int, int> first{-1, -1};  // round and sender
    const auto receive = [&](Meetings::Key key) {
      const std::pair wanted{key.round(), key.from()};
      if (key.node() == node && key.context == strand.context() &&
          (first.second < 0 || wanted < first))
        first = wanted;
    };
    meetings_.each(receive, [](Slot) {});
    return {first.second, fmt::format("for a message of {} in round {}",
                                      world_.hosts.name_of(first.second), first.first + 1)};
  }
  for (int other = 0; other < count(); ++other)
    for (Slot at = ranks_[static_cast<std::size_t>(other)].waiters; at != no_slot;
         at = world_.messages[at].next)
      if (world_.messages[at].origin == slot)
        return {other, fmt::format("for {} to receive in round {}", world_.hosts.name_of(other),
                                   world_.messages[at].name.step)};
  return {-1, "for a message to leave"};
}

SimulatedRanks::Blame SimulatedRanks::blame_request(Slot program) const {
  const int node = strands_.node(program);
  const OpenRequests::Open& open = requests_.awaited(node);
  if (open.number >= 0)
    return {open.from,
            fmt::format("for message {} of {}", open.number + 1, world_.hosts.name_of(open.from))};
  if (open.from >= 0)
    return {open.from, fmt::format("for a message of {}", world_.hosts.name_of(open.from))};
  const Slot started = strands_.of(node, open.request);
  return started == no_slot ? Blame{-1, "for a message of anybody"} : blame(started);
}

// The program waits for what it has started, or for another processor.
SimulatedRanks::Blame SimulatedRanks::blame_asleep(Slot program) const {
  const int node = strands_.node(program);
  const Slot sending = strands_.find(
      node, [](const Strand& strand) { return strand.state == StrandState::exchanging; });
  if (sending != no_slot) return blame_sender(sending);
  std::pair<int, int> first{-1, -1};  // sender and number
  const auto receive = [&](Meetings::Key key) {
    const std::pair wanted{key.from(), key.round()};
    if (key.node() == node && (first.first < 0 || wanted < first)) first = wanted;
  };
  meetings_.each(receive, [](Slot) {});
  if (first.first < 0) return {-1, source_.sleeps_for(node)};
  return {first.first,
          fmt::format("for message {} of {}", first.second + 1, world_.hosts.name_of(first.first))};
}

Slot SimulatedRanks::unfinished(int node) const {
  return strands_.find(node,
                       [](const Strand& strand) { return strand.state != StrandState::finished; });
}

std::string SimulatedRanks::stuck() const {
  const auto stands = [&](int node) {
    const Strand& strand = strands_[unfinished(node)];
    return fmt::format("rank {} ({}, round {})", world_.hosts.name_of(node),
                       source_.phase_name(node, strand.phase), strand.round + 1);
  };
  int node = 0;
  while (unfinished(node) == no_slot) ++node;
  std::vector<int> way;
  while (node >= 0 && unfinished(node) != no_slot &&
         std::find(way.begin(), way.end(), node) == way.end()) {
    way.push_back(node);
    node = blame(unfinished(node)).node;
  }
  const auto begin = std::find(way.begin(), way.end(), node);
  const bool circle = begin != way.end();
  std::string text = circle ? "ranks wait in a circle: " : "";
  for (auto at = circle ? begin : way.begin(); at != way.end(); ++at)
    text += fmt::format("{}{} waits {}", text.empty() || text.back() == ' ' ? "" : ", ",
                        stands(*at), blame(unfinished(*at)).text);
  if (!circle && node >= 0) text += fmt::format(", which has finished");
  return text;
}

}  // namespace tutti::simulate
