// SPDX-License-Identifier: BSD-3-Clause
// Reads the operations of a round for a rank, and lets messages meet their receives (ranks.hpp).
#include <algorithm>

#include "schedule/printer.hpp"
#include "simulate/delivery.hpp"
#include "simulate/ranks.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {
using schedule::Do;

void SimulatedRanks::read_round(int node, const schedule::Round& round) {
  SimulatedRank& rank = (*this)[node];
  rank.partner = -1;
  Slot last = no_slot;
  for (const schedule::Op& op : round.ops)
    if (op.what == Do::send) last = read_sends(rank, op, last);
  for (const schedule::Op& op : round.ops)
    if (op.what == Do::receive || op.what == Do::receive_combine) read_receive(node, op);
}

// Adds to the sends of the round, whose last one is `last`. Returns the new last one.
Slot SimulatedRanks::read_sends(SimulatedRank& rank, const schedule::Op& op, Slot last) {
  const std::int64_t bytes = rank.running->sizes().bytes(op.blocks, rank.member);
  for (int i = 0; i < op.to.count; ++i) {
    const int to = op.to.first + i * op.to.stride;
    if (to == op.to.except) continue;
    if (to == rank.member)
      base::fail(base::Status::invalid_argument, "phase {}, {}: rank {} sends to itself",
                 rank.phase + 1, schedule::round_name(rank.round), to);
    const Slot slot = sends_.take();
    sends_[slot] = {no_slot, rank.running->node(to), bytes};
    (last == no_slot ? rank.first_send : sends_[last].next) = slot;
    last = slot;
    ++rank.sends;
  }
  return last;
}

// If k operands arrive, k are combined if there is a local one, and k - 1 otherwise.
void SimulatedRanks::read_receive(int node, const schedule::Op& op) {
  const Running& running = *(*this)[node].running;
  if (op.what == Do::receive)
    return expect(node, running.node(op.to.first), Meetings::Receive::plain);
  const bool begins = std::any_of(op.operands.begin(), op.operands.end(),
                                  [](const auto& o) { return o.is_local(); });
  auto kind = begins ? Meetings::Receive::combines : Meetings::Receive::plain;
  for (const schedule::Operand& operand : op.operands) {
    if (operand.is_local()) continue;
    expect(node, running.node(num(operand.from)), kind);
    kind = Meetings::Receive::combines;
  }
}

void SimulatedRanks::expect(int node, int from, Meetings::Receive kind) {
  SimulatedRank& rank = (*this)[node];
  if (rank.running->operation().pairwise) note_partner(rank, from);
  const Slot early =
      meetings_.post(Meetings::key(node, from, phases_.first_round(rank.phase) + rank.round), kind);
  if (early == no_slot) {
    ++rank.receives;
    return;
  }
  if (kind == Meetings::Receive::combines) combine(node, world_.messages[early].bytes);
  delivery_->matched(early);
}

Ticks SimulatedRanks::work_of(const SimulatedRank& rank) const {
  const auto& work = rank.running->operation().work;
  if (work.empty()) return 0;
  return ticks(work[static_cast<std::size_t>(rank.member)][static_cast<std::size_t>(rank.round)]);
}

// Messages of earlier rounds may still be on their way in an idle round.
Ticks SimulatedRanks::idle_of(const SimulatedRank& rank, const schedule::Round& round) const {
  const bool is_idle = std::all_of(round.ops.begin(), round.ops.end(), [](const schedule::Op& op) {
    return op.what == Do::copy || op.what == Do::combine;
  });
  return is_idle ? ticks(rank.running->operation().idle) : 0;
}

void SimulatedRanks::read_local_work(int node, const schedule::Round& round) {
  SimulatedRank& rank = (*this)[node];
  const Sizes& sizes = rank.running->sizes();
  rank.local_work = work_of(rank) + idle_of(rank, round);
  time(node).computing += count_of(rank.local_work);
  for (const schedule::Op& op : round.ops) {
    if (op.what == Do::send || op.what == Do::receive) continue;
    if (op.what == Do::copy) {
      if (rank.running->operation().copies == Copies::free) continue;
      const Ticks duration = world_.costs.copy(sizes.bytes(op.blocks, rank.member));
      time(node).copying += count_of(duration);
      rank.local_work += duration;
      continue;
    }
    const auto locals = std::count_if(op.operands.begin(), op.operands.end(),
                                      [](const auto& operand) { return operand.is_local(); });
    if (locals < 2) continue;
    const Ticks duration = (locals - 1) * world_.costs.combine(sizes.bytes(op.blocks, rank.member));
    time(node).combining += count_of(duration);
    rank.local_work += duration;
  }
}

bool SimulatedRanks::received(Slot slot) {
  const SimulatedMessage& message = world_.messages[slot];
  const Name& name = message.name;
  const int node = name.to;
  const SimulatedRank& rank = (*this)[node];
  const Meetings::Key key =
      Meetings::key(node, name.from, phases_.first_round(name.phase - 1) + name.step - 1);
  const Meetings::Met met = meetings_.come(key);
  if (met == Meetings::Met::no) {
    const bool here = name.phase - 1 == rank.phase && rank.running != nullptr;
    if (name.phase - 1 < rank.phase || (here && name.step - 1 < rank.posted()))
      throw Failure(Failure::Kind::unmatched,
                    fmt::format("nobody receives the message {}", to_text(name, world_.hosts)));
    meetings_.keep(key, slot);
    return false;
  }
  match(node, message, met == Meetings::Met::combines);
  end_round_if_done(node);
  return true;
}

void SimulatedRanks::match(int node, const SimulatedMessage& message, bool combines) {
  SimulatedRank& rank = (*this)[node];
  --rank.receives;
  const bool idle = rank.sends == 0 && world_.now > rank.free_since;
  if (idle) {
    time(node).waiting += count_of(world_.now - rank.free_since);
    rank.free_since = world_.now;
  }
  if (combines) {
    combine(node, message.bytes);
    rank.free_since = std::max(rank.free_since, rank.busy_until);
  }
  if (idle && rank.receives == 0)
    note_wait(node, PathStep::Kind::message, message.name.from, message.begin, message.waited,
              message.history);
}

void SimulatedRanks::combine(int node, std::int64_t bytes) {
  SimulatedRank& rank = (*this)[node];
  const Ticks begin = std::max(world_.now, rank.busy_until), duration = world_.costs.combine(bytes);
  rank.busy_until = begin + duration;
  time(node).combining += count_of(duration);
  if (duration > 0) interval(Activity::combine, node, begin, begin + duration);
}

void SimulatedRanks::note_wait(int node, PathStep::Kind kind, int peer, Ticks begin, Ticks blocked,
                               History::Id before) {
  SimulatedRank& rank = (*this)[node];
  rank.history = history_.add(
      {kind, node, peer, rank.phase + 1, rank.round + 1, begin, world_.now, blocked, before});
}

void SimulatedRanks::interval(Activity work, int node, Ticks begin, Ticks end) const {
  if (options_.observer == nullptr) return;
  const SimulatedRank& rank = (*this)[node];
  options_.observer->interval(
      {work, node, rank.phase + 1, rank.round + 1, microseconds(begin), microseconds(end)});
}

}  // namespace tutti::simulate
