// SPDX-License-Identifier: BSD-3-Clause
// Moves simulated ranks from round to round and from phase to phase (ranks.hpp).
#include "simulate/ranks.hpp"

#include <algorithm>

#include "simulate/delivery.hpp"
#include "simulate/random.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {

using schedule::Do;

SimulatedRanks::SimulatedRanks(World& world, Phases& phases, const SimulationOptions& options)
    : world_(world),
      phases_(phases),
      options_(options),
      ranks_(static_cast<std::size_t>(phases.nodes())),
      times_(ranks_.size()),
      meetings_(world.messages, ranks_.size()),
      history_(options.history) {}

Ticks SimulatedRanks::random(int node, double most) {
  if (most <= 0) return 0;
  return ticks(most *
               uniform(options_.seed, static_cast<std::uint64_t>(node), (*this)[node].draws++));
}

void SimulatedRanks::start() {
  for (int node = 0; node < count(); ++node) {
    const Ticks begin = random(node, world_.machine.node.drift);
    time(node).begin = count_of(begin);
    go_at(node, begin, RankState::entering);
  }
}

void SimulatedRanks::go_at(int node, Ticks time, RankState state) {
  (*this)[node].state = state;
  if (time == world_.now) return world_.ready.insert(node);
  world_.events.push(
      {time, Event::make_order(Turn::rank, node, 0), static_cast<Slot>(node), What::go, 0});
}

void SimulatedRanks::go(int node) {
  switch ((*this)[node].state) {
    case RankState::entering:
      return enter_phase(node);
    case RankState::paired:
      return exchange(node);
    default:
      return begin_round(node);
  }
}

void SimulatedRanks::enter_phase(int node) {
  SimulatedRank& rank = (*this)[node];
  if (rank.phase >= 0) phases_.left(rank.phase);
  rank.running = nullptr;
  rank.posts = false;
  rank.round = rank.ended = 0;
  if (++rank.phase == phases_.count()) {
    rank.state = RankState::finished;
    time(node).end = count_of(world_.now);
    ++finished_;
    return;
  }
  const Phase& phase = phases_[rank.phase];
  if (std::holds_alternative<Barrier>(phase)) return arrive_at_barrier(node);
  if (const auto* computation = std::get_if<Computation>(&phase)) {
    const std::size_t entry = computation->time.size() == 1 ? 0 : static_cast<std::size_t>(node);
    const Ticks duration = ticks(computation->time[entry]);
    time(node).computing += count_of(duration);
    interval(Activity::compute, node, world_.now, world_.now + duration);
    return go_at(node, world_.now + duration, RankState::entering);
  }
  begin_operation(node);
}

void SimulatedRanks::begin_operation(int node) {
  SimulatedRank& rank = (*this)[node];
  const Phases::Part part = phases_.part(rank.phase, node);
  if (part.running == nullptr) return go_at(node, world_.now, RankState::entering);
  rank.running = part.running;
  rank.member = part.member;
  if (ahead(rank)) delivery_->posted(node);
  begin_round(node);
}

bool SimulatedRanks::posted(int node, const Name& message) const {
  const SimulatedRank& rank = (*this)[node];
  if (message.phase - 1 != rank.phase) return message.phase - 1 < rank.phase;
  if (rank.running == nullptr) return false;
  return ahead(rank) || message.step - 1 < rank.posted();
}

// Skips rounds in which the rank has nothing to do without an event.
void SimulatedRanks::begin_round(int node) {
  SimulatedRank& rank = (*this)[node];
  const Running& running = *rank.running;
  for (; rank.round < running.rounds(); rank.next_round()) {
    advance(node);
    if (hold(node)) return;
    const schedule::Round& round = running.round(rank.member, rank.round, scratch_);
    if (ahead(rank) && must_drain(rank, round)) {
      rank.state = RankState::draining;
      end_round_if_done(node);
      return;
    }
    if (round.ops.empty() && running.operation().idle == 0 && work_of(rank) == 0) {
      post(node);
      continue;
    }
    read_local_work(node, round);
    read_round(node, round);
    post(node);
    if (running.operation().pairwise) return pair_up(node);
    return exchange(node);
  }
  if (rank.receives > 0 || rank.busy_until > world_.now) {
    rank.state = RankState::draining;
    return end_round_if_done(node);
  }
  advance(node);
  go_at(node, world_.now, RankState::entering);
}

void SimulatedRanks::post(int node) {
  SimulatedRank& rank = (*this)[node];
  rank.posts = true;
  advance(node);
  if (rank.waiters != no_slot) delivery_->posted(node);
}

// A rank must wait for earlier messages before it sends from a buffer other than the input, because
// the data may have arrived in an earlier round.
bool SimulatedRanks::must_drain(const SimulatedRank& rank, const schedule::Round& round) const {
  if (rank.receives == 0 && rank.busy_until <= world_.now) return false;
  return std::any_of(round.ops.begin(), round.ops.end(), [](const schedule::Op& op) {
    return op.what == Do::send &&
           std::any_of(op.blocks.begin(), op.blocks.end(), [](const schedule::Block& block) {
             return block.buffer != schedule::Buffer::input;
           });
  });
}

void SimulatedRanks::exchange(int node) {
  SimulatedRank& rank = (*this)[node];
  rank.state = RankState::exchanging;
  rank.free_since = world_.now;
  while (rank.first_send != no_slot) {
    send_next(node);
    if (delivery_->one_at_a_time()) break;
  }
  end_round_if_done(node);
}

void SimulatedRanks::send_next(int node) {
  SimulatedRank& rank = (*this)[node];
  const Slot slot = rank.first_send;
  const Send send = sends_[slot];
  if (const Ticks time = delivery_->may_send(node, send.to); time > world_.now) {
    world_.events.push(
        {time, Event::make_order(Turn::rank, node, 0), static_cast<Slot>(node), What::send, 0});
    return;
  }
  rank.first_send = send.next;
  sends_.give(slot);
  delivery_->send(node, send);
}

void SimulatedRanks::sent(int node) {
  SimulatedRank& rank = (*this)[node];
  --rank.sends;
  if (rank.first_send != no_slot) return send_next(node);
  if (rank.sends == 0) rank.free_since = std::max(world_.now, rank.busy_until);
  end_round_if_done(node);
}

void SimulatedRanks::end_round_if_done(int node) {
  SimulatedRank& rank = (*this)[node];
  if (rank.state == RankState::exchanging) {
    if (rank.sends == 0 && (ahead(rank) || rank.receives == 0)) finish_round(node);
  } else if (rank.state == RankState::draining && rank.receives == 0) {
    go_at(node, std::max(world_.now, rank.busy_until), RankState::beginning);
  }
}

void SimulatedRanks::finish_round(int node) {
  SimulatedRank& rank = (*this)[node];
  const Ticks begin = ahead(rank) ? world_.now : std::max(world_.now, rank.busy_until);
  const bool works = !rank.running->operation().work.empty();
  if (rank.local_work > 0)
    interval(works ? Activity::compute : Activity::copy, node, begin, begin + rank.local_work);
  rank.next_round();
  go_at(node, begin + rank.local_work, RankState::beginning);
}

Slot SimulatedRanks::left_over() const {
  Slot found = no_slot;
  meetings_.each([](Meetings::Key) {}, [&](Slot message) { found = message; });
  return found;
}

void SimulatedRanks::report(Report& report) {
  double last = 0;
  int slowest = 0;
  for (int node = 0; node < count(); ++node) {
    if (time(node).end <= last) continue;
    last = time(node).end;
    slowest = node;
  }
  if (count() > 0)
    history_.report(report, slowest, static_cast<Ticks>(last), (*this)[slowest].history);
  report.time = last / ticks_per_microsecond;
  for (RankTime& each : times_)
    for (double* part : {&each.begin, &each.end, &each.sending, &each.receiving, &each.combining,
                         &each.copying, &each.computing, &each.waiting})
      *part /= ticks_per_microsecond;
  report.ranks = std::move(times_);
}

}  // namespace tutti::simulate
