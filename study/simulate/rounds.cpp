// SPDX-License-Identifier: BSD-3-Clause
// Moves strands through the rounds of operations, and lets messages meet their receives
// (ranks.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "schedule/printer.hpp"
#include "simulate/delivery.hpp"
#include "simulate/ranks.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {

void SimulatedRanks::begin_operation(Slot slot, const RunOperation& run) {
  Strand& strand = strands_[slot];
  strand.operation = run.operation;
  strand.member = run.member;
  strand.round = 0;
  strand.instance = &instances_.enter(run.group, run.number, run.operation->manner().members);
  if (ahead(strand) && waiters(strands_.node(slot)) != no_slot)
    delivery_->posted(strands_.node(slot));
  begin_round(slot);
}

void SimulatedRanks::leave_operation(Slot slot) {
  Strand& strand = strands_[slot];
  if (strand.instance != nullptr) instances_.leave(*strand.instance);
  strand.operation = nullptr;
  strand.instance = nullptr;
  strand.round = 0;
  strand.posts = false;
}

bool SimulatedRanks::posted(const SimulatedMessage& message) {
  if (message.context == no_operation) return meetings_.awaited(Meetings::key(message));
  const Slot slot = strands_.in(message.name.to, message.context);
  if (slot == no_slot) return false;
  const Strand& strand = strands_[slot];
  return ahead(strand) || message.name.step - 1 < strand.posted();
}

// Skips rounds in which the member has nothing to do without an event. With receives that are
// posted ahead, it must wait for earlier messages before it sends what they may have brought.
void SimulatedRanks::begin_round(Slot slot) {
  Strand& strand = strands_[slot];
  BoundOperation& operation = *strand.operation;
  for (const int rounds = operation.rounds(strand.member); strand.round < rounds;
       strand.next_round()) {
    round_.clear();
    operation.read(round_, strand.member, strand.round);
    const bool arriving = strand.receives > 0 || strand.busy_until > world_.now;
    if (ahead(strand) && round_.passes_on && arriving) {
      strand.state = StrandState::draining;
      return end_round_if_done(slot);
    }
    if (round_.empty()) {
      post_round(slot);
      continue;
    }
    read_local_work(slot, round_);
    read_round(slot, round_);
    post_round(slot);
    if (operation.manner().pairwise) return pair_up(slot);
    return exchange(slot);
  }
  if (strand.receives > 0 || strand.busy_until > world_.now) {
    strand.state = StrandState::draining;
    return end_round_if_done(slot);
  }
  go_at(slot, world_.now, StrandState::between);
}

void SimulatedRanks::post_round(Slot slot) {
  Strand& strand = strands_[slot];
  strand.posts = true;
  const int node = strands_.node(slot);
  if (waiters(node) != no_slot) delivery_->posted(node);
}

void SimulatedRanks::read_round(Slot slot, const NodeRound& round) {
  Strand& strand = strands_[slot];
  strand.partner = -1;
  Slot last = no_slot;
  for (const BoundSend& send : round.sends) {
    if (send.to == strands_.node(slot))
      base::fail(base::Status::invalid_argument, "phase {}, {}: rank {} sends to itself",
                 strand.phase, schedule::round_name(strand.round), strand.member);
    const Slot next = sends_.take();
    sends_[next] = {no_slot, send.to, send.bytes, -1};
    (last == no_slot ? strand.first_send : sends_[last].next) = next;
    last = next;
  }
  strand.sends += static_cast<int>(round.sends.size());
  for (const BoundReceive& receive : round.receives) expect(slot, receive);
}

void SimulatedRanks::expect(Slot slot, const BoundReceive& receive) {
  Strand& strand = strands_[slot];
  if (strand.operation->manner().pairwise) note_partner(strand, receive.from);
  const Slot early = meetings_.post(
      Meetings::key(strands_.node(slot), receive.from, strand.round, strand.context()),
      receive.then);
  if (early == no_slot) {
    ++strand.receives;
    return;
  }
  if (receive.then == OnArrival::combined) combine(slot, world_.messages[early].bytes);
  delivery_->matched(early);
}

void SimulatedRanks::read_local_work(Slot slot, const NodeRound& round) {
  Strand& strand = strands_[slot];
  RankTime& times = time(strands_.node(slot));
  strand.local_work = round.computing;
  strand.computes = round.computing > 0;
  times.computing += count_of(round.computing);
  for (const std::int64_t bytes : round.copies) {
    const Ticks duration = world_.costs.copy(bytes);
    times.copying += count_of(duration);
    strand.local_work += duration;
  }
  for (const LocalCombine& combine : round.combines) {
    const Ticks duration = (combine.operands - 1) * world_.costs.combine(combine.bytes);
    times.combining += count_of(duration);
    strand.local_work += duration;
  }
}

void SimulatedRanks::exchange(Slot slot) {
  Strand& strand = strands_[slot];
  strand.state = StrandState::exchanging;
  strand.free_since = world_.now;
  while (strand.first_send != no_slot) {
    send_next(slot);
    if (delivery_->one_at_a_time()) break;
  }
  end_round_if_done(slot);
}

void SimulatedRanks::send_next(Slot slot) {
  Strand& strand = strands_[slot];
  const Slot first = strand.first_send;
  const Send send = sends_[first];
  if (send.number >= 0) strand.round = send.number;
  strand.first_send = send.next;
  sends_.give(first);
  delivery_->send(slot, send);
}

void SimulatedRanks::sent(Slot slot, const Name& message) {
  Strand& strand = strands_[slot];
  --strand.sends;
  const bool alone = strand.operation == nullptr;
  if (strand.first_send != no_slot) {
    send_next(slot);
  } else {
    if (strand.sends == 0) strand.free_since = std::max(world_.now, strand.busy_until);
    end_round_if_done(slot);
  }
  if (alone) tell_left(message);
}

void SimulatedRanks::end_round_if_done(Slot slot) {
  const Strand& strand = strands_[slot];
  if (strand.state == StrandState::exchanging) {
    if (strand.sends == 0 && (ahead(strand) || strand.receives == 0)) finish_round(slot);
  } else if (strand.state == StrandState::draining && strand.receives == 0) {
    go_at(slot, std::max(world_.now, strand.busy_until), StrandState::beginning);
  }
}

void SimulatedRanks::finish_round(Slot slot) {
  Strand& strand = strands_[slot];
  const Ticks begin = ahead(strand) ? world_.now : std::max(world_.now, strand.busy_until);
  if (strand.local_work > 0)
    interval(strand.computes ? Activity::compute : Activity::copy, slot, begin,
             begin + strand.local_work);
  strand.next_round();
  go_at(slot, begin + strand.local_work, StrandState::beginning);
}

bool SimulatedRanks::received(Slot slot) {
  const SimulatedMessage& message = world_.messages[slot];
  const int node = message.name.to;
  const Meetings::Key key = Meetings::key(message);
  const bool alone = message.context == no_operation;
  if (alone) static_cast<void>(finds_receive(message));  // failure is harmless: come() tells it
  const Meetings::Met met = meetings_.come(key);
  if (alone && met != Meetings::Met::no) {
    const RequestNumber request =
        requests_.receive_of(node, message.name.from, message.name.step - 1);
    if (has_waited(node, request)) note_message(static_cast<Slot>(node), message);
    done(node, request);
    tell_came(message);
    return true;
  }
  const Slot receiver = alone ? no_slot : strands_.in(node, message.context);
  if (met == Meetings::Met::no) {
    if (receiver != no_slot && message.name.step - 1 < strands_[receiver].posted())
      throw Failure(Failure::Kind::unmatched, fmt::format("nobody receives the message {}",
                                                          to_text(message.name, world_.hosts)));
    meetings_.keep(key, slot);
    return false;
  }
  match(receiver, message, met);
  end_round_if_done(receiver);
  return true;
}

void SimulatedRanks::match(Slot slot, const SimulatedMessage& message, Meetings::Met met) {
  Strand& strand = strands_[slot];
  --strand.receives;
  const bool idle = strand.sends == 0 && world_.now > strand.free_since;
  if (idle) {
    if (strands_.is_program(slot))
      time(message.name.to).waiting += count_of(world_.now - strand.free_since);
    strand.free_since = world_.now;
  }
  if (met == Meetings::Met::combined) {
    combine(slot, message.bytes);
    strand.free_since = std::max(strand.free_since, strand.busy_until);
  }
  if (idle && strand.receives == 0) note_message(slot, message);
}

void SimulatedRanks::combine(Slot slot, std::int64_t bytes) {
  Strand& strand = strands_[slot];
  const Ticks begin = std::max(world_.now, strand.busy_until);
  const Ticks duration = world_.costs.combine(bytes);
  strand.busy_until = begin + duration;
  time(strands_.node(slot)).combining += count_of(duration);
  if (duration > 0) interval(Activity::combine, slot, begin, begin + duration);
}

void SimulatedRanks::note_message(Slot slot, const SimulatedMessage& message) {
  note_wait(slot, PathStep::Kind::message, message.name.from, message.begin, message.waited,
            message.history);
}

void SimulatedRanks::note_wait(Slot slot, PathStep::Kind kind, int peer, Ticks begin, Ticks blocked,
                               History::Id before) {
  Strand& strand = strands_[slot];
  strand.history = history_.add({kind, strands_.node(slot), peer, strand.phase, strand.round + 1,
                                 begin, world_.now, blocked, before});
}

void SimulatedRanks::interval(Activity work, Slot slot, Ticks begin, Ticks end) const {
  if (options_.observer == nullptr) return;
  const Strand& strand = strands_[slot];
  options_.observer->interval({work, strands_.node(slot), strand.phase, strand.round + 1,
                               microseconds(begin), microseconds(end)});
}

}  // namespace tutti::simulate
