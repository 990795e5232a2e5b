// SPDX-License-Identifier: BSD-3-Clause
// Ranks that wait for each other: barriers, partners, and deadlocks (ranks.hpp).
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
void SimulatedRanks::arrive_at_barrier(int node) {
  SimulatedRank& last = (*this)[node];
  last.state = RankState::waiting;
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
  const History::Id wait = history_.add(
      {PathStep::Kind::barrier, node, node, last.phase + 1, 0, world_.now, end, 0, last.history});
  for (int other = 0; other < count(); ++other) {
    SimulatedRank& rank = (*this)[other];
    rank.history = wait;
    time(other).waiting += count_of(end - rank.free_since);
    interval(Activity::synchronise, other, rank.free_since, end);
    go_at(other, end, RankState::entering);
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

// The partner is the rank that this one sends to in the round and also receives from.
void SimulatedRanks::note_partner(SimulatedRank& rank, int from) const {
  Slot send = rank.first_send;
  while (send != no_slot && sends_[send].to != from) send = sends_[send].next;
  if (send == no_slot) return;
  if (rank.partner >= 0 && rank.partner != from)
    base::fail(base::Status::invalid_argument,
               "phase {}, {}: exchanges with both {} and {} are no pair", rank.phase + 1,
               schedule::round_name(rank.round), rank.partner, from);
  rank.partner = from;
}

void SimulatedRanks::pair_up(int node) {
  SimulatedRank& rank = (*this)[node];
  if (rank.partner < 0) return exchange(node);
  rank.state = RankState::pairing;
  rank.free_since = world_.now;
  SimulatedRank& other = (*this)[rank.partner];
  if (other.state != RankState::pairing || other.partner != node || other.phase != rank.phase ||
      other.round != rank.round)
    return;
  const Ticks end = world_.now + pair_time(node, rank.partner);
  if (other.free_since < world_.now) {
    other.history = history_.add({PathStep::Kind::pair, rank.partner, node, rank.phase + 1,
                                  rank.round + 1, world_.now, world_.now, 0, rank.history});
  }
  for (const int one : {node, rank.partner}) {
    const SimulatedRank& each = (*this)[one];
    time(one).waiting += count_of(end - each.free_since);
    interval(Activity::synchronise, one, each.free_since, end);
    go_at(one, end, RankState::paired);
  }
}

// Returns a wait of the rank's round for another processor that has not come so far; nullptr if
// there is none.
const MemberWait* SimulatedRanks::unmet_wait(const SimulatedRank& rank) const {
  for (const MemberWait& wait : rank.running->waits(rank.member, rank.round)) {
    const SimulatedRank& other = (*this)[rank.running->node(wait.other)];
    if (other.phase > rank.phase) continue;
    const bool here = other.phase == rank.phase && other.running != nullptr;
    if (!here || (wait.ended ? other.ended : other.posted()) <= wait.other_round) return &wait;
  }
  return nullptr;
}

// Lets the rank wait if it must not begin its round. Returns true if it waits.
bool SimulatedRanks::hold(int node) {
  SimulatedRank& rank = (*this)[node];
  const MemberWait* const wait = unmet_wait(rank);
  if (wait == nullptr) return false;
  rank.state = RankState::held;
  rank.free_since = world_.now;
  holding_.resize(ranks_.size());
  holding_[static_cast<std::size_t>(rank.running->node(wait->other))].push_back(node);
  return true;
}

// The rank has begun or ended a round, so ranks that wait for it look again whether they may go on.
void SimulatedRanks::advance(int node) {
  SimulatedRank& rank = (*this)[node];
  rank.ended = rank.round;
  if (holding_.empty()) return;
  for (const int other : std::exchange(holding_[static_cast<std::size_t>(node)], {})) {
    const SimulatedRank& held = (*this)[other];
    time(other).waiting += count_of(world_.now - held.free_since);
    if (held.free_since < world_.now)
      note_wait(other, PathStep::Kind::processor, node, world_.now, 0, rank.history);
    go_at(other, world_.now, RankState::beginning);
  }
}

SimulatedRanks::Blame SimulatedRanks::blame(int node) const {
  const SimulatedRank& rank = (*this)[node];
  if (rank.state == RankState::pairing)
    return {rank.partner, fmt::format("for {} to synchronise", world_.hosts.name_of(rank.partner))};
  if (rank.state == RankState::held) {
    const MemberWait& wait = *unmet_wait(rank);
    const int other = rank.running->node(wait.other);
    return {other, fmt::format("for {} to {} round {}", world_.hosts.name_of(other),
                               wait.ended ? "end" : "begin", wait.other_round + 1)};
  }
  if (rank.state == RankState::waiting) {
    int other = 0;
    while (other < count() && (*this)[other].state == RankState::waiting) ++other;
    return {other, fmt::format("at a barrier for {}", world_.hosts.name_of(other))};
  }
  if (rank.receives > 0 && rank.sends == 0) {
    std::pair<int, int> first{-1, -1};  // round and sender
    const auto receive = [&](Meetings::Key key) {
      const std::pair wanted{Meetings::round_of(key), Meetings::from_of(key)};
      if (Meetings::node_of(key) == node && (first.second < 0 || wanted < first)) first = wanted;
    };
    meetings_.each(receive, [](Slot) {});
    const std::int64_t round = first.first - phases_.first_round(rank.phase) + 1;
    return {first.second, fmt::format("for a message of {} in round {}",
                                      world_.hosts.name_of(first.second), round)};
  }
  for (int other = 0; other < count(); ++other)
    for (Slot at = (*this)[other].waiters; at != no_slot; at = world_.messages[at].next)
      if (world_.messages[at].name.from == node)
        return {other, fmt::format("for {} to receive in round {}", world_.hosts.name_of(other),
                                   world_.messages[at].name.step)};
  return {-1, "for a message to leave"};
}

std::string SimulatedRanks::stuck() const {
  const auto stands = [&](int node) {
    const SimulatedRank& rank = (*this)[node];
    return fmt::format("rank {} (phase {}, round {})", world_.hosts.name_of(node), rank.phase + 1,
                       rank.round + 1);
  };
  int node = 0;
  while ((*this)[node].state == RankState::finished) ++node;
  std::vector<int> way;
  while (node >= 0 && (*this)[node].state != RankState::finished &&
         std::find(way.begin(), way.end(), node) == way.end()) {
    way.push_back(node);
    node = blame(node).node;
  }
  const auto begin = std::find(way.begin(), way.end(), node);
  const bool circle = begin != way.end();
  std::string text = circle ? "ranks wait in a circle: " : "";
  for (auto at = circle ? begin : way.begin(); at != way.end(); ++at)
    text += fmt::format("{}{} waits {}", text.empty() || text.back() == ' ' ? "" : ", ",
                        stands(*at), blame(*at).text);
  if (!circle && node >= 0) text += fmt::format(", which has finished");
  return text;
}

}  // namespace tutti::simulate
