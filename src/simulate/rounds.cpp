// SPDX-License-Identifier: BSD-3-Clause
// What a round asks of a rank, and messages that meet their receives.
#include <algorithm>

#include "simulate/delivery.hpp"
#include "simulate/ranks.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {

using schedule::Do;

void Ranks::append(Slot& first, Slot& last, const Entry& entry) {
  const Slot slot = entries_.take();
  entries_[slot] = entry;
  entries_[slot].next = no_slot;
  if (first == no_slot) {
    first = slot;
  } else {
    entries_[last].next = slot;
  }
  last = slot;
}

void Ranks::read_round(Rank& rank, const schedule::Round& round) {
  for (const schedule::Op& op : round.ops) {
    if (op.what == Do::send) {
      read_sends(rank, op);
    } else if (op.what == Do::receive || op.what == Do::receive_combine) {
      read_receive(rank, op);
    }
  }
}

void Ranks::read_sends(Rank& rank, const schedule::Op& op) {
  const std::int64_t bytes = rank.running->sizes().bytes(op.blocks, rank.member);
  for (int i = 0; i < op.to.count; ++i) {
    const int to = op.to.first + i * op.to.stride;
    if (to == op.to.except) continue;
    if (to == rank.member)
      base::fail(base::Status::invalid_argument, "phase {}, round {}: rank {} sends to itself", rank.phase + 1,
                 rank.round + 1, to);
    append(rank.first_send, rank.last_send, {no_slot, rank.running->node(to), rank.round, false, bytes});
    ++rank.sends;
  }
}

// Of k operands that come, k are combined with local ones, or k - 1 where there are none.
void Ranks::read_receive(Rank& rank, const schedule::Op& op) {
  const auto expect = [&](int from, bool combine) {
    append(rank.expected, rank.last_expected, {no_slot, rank.running->node(from), rank.round, combine, 0});
    ++rank.receives;
  };
  if (op.what == Do::receive) return expect(op.to.first, false);
  bool combine = std::any_of(op.operands.begin(), op.operands.end(), [](const auto& o) { return o.is_local(); });
  for (const schedule::Operand& operand : op.operands) {
    if (operand.is_local()) continue;
    expect(num(operand.from), combine);
    combine = true;
  }
}

void Ranks::read_local_work(Rank& rank, const schedule::Round& round) {
  const Sizes& sizes = rank.running->sizes();
  rank.local_work = 0;
  for (const schedule::Op& op : round.ops) {
    if (op.what == Do::send || op.what == Do::receive) continue;
    if (op.what == Do::copy) {
      if (rank.running->operation().copies == Copies::free) continue;
      const Ticks time = world_.costs.copy(sizes.bytes(op.blocks, rank.member));
      rank.copying += time;
      rank.local_work += time;
      continue;
    }
    const auto locals =
        std::count_if(op.operands.begin(), op.operands.end(), [](const auto& operand) { return operand.is_local(); });
    if (locals < 2) continue;
    const Ticks time = (locals - 1) * world_.costs.combine(sizes.bytes(op.blocks, rank.member));
    rank.combining += time;
    rank.local_work += time;
  }
}

bool Ranks::received(Slot slot) {
  Message& message = world_.messages[slot];
  const Name& name = message.name;
  const int node = name.to;
  Rank& rank = (*this)[node];
  const bool here = name.phase - 1 == rank.phase && rank.running != nullptr && name.step - 1 < rank.posted;
  if (!here && name.phase - 1 >= rank.phase) {
    message.next = rank.early;
    rank.early = slot;
    return false;
  }
  if (!here || !match(node, message))
    throw Failure(Failure::Kind::unmatched, fmt::format("nobody receives the message {}", to_text(name)));
  end_round_if_done(node);
  return true;
}

bool Ranks::match(int node, const Message& message) {
  Rank& rank = (*this)[node];
  Slot before = no_slot, at = rank.expected;
  const int round = message.name.step - 1;
  while (at != no_slot && (entries_[at].peer != message.name.from || entries_[at].round != round))
    before = std::exchange(at, entries_[at].next);
  if (at == no_slot) return false;
  (before == no_slot ? rank.expected : entries_[before].next) = entries_[at].next;
  if (rank.last_expected == at) rank.last_expected = before;
  --rank.receives;
  const bool idle = rank.sends == 0 && world_.now > rank.free_since;
  if (idle) {
    rank.waiting += world_.now - rank.free_since;
    rank.free_since = world_.now;
  }
  if (entries_[at].combine) {
    const Ticks begin = std::max(world_.now, rank.busy_until), time = world_.costs.combine(message.bytes);
    rank.busy_until = begin + time;
    rank.combining += time;
    if (time > 0) interval(Work::combine, node, begin, begin + time);
    rank.free_since = std::max(rank.free_since, rank.busy_until);
  }
  entries_.give(at);
  if (idle && rank.receives == 0)
    note_wait(node, PathStep::Kind::message, message.name.from, message.begin, message.waited, message.history);
  return true;
}

void Ranks::match_early(int node) {
  Rank& rank = (*this)[node];
  Slot waiting = std::exchange(rank.early, no_slot);
  while (waiting != no_slot) {
    Message& message = world_.messages[waiting];
    const Slot next = std::exchange(message.next, no_slot);
    if (message.name.phase - 1 == rank.phase && message.name.step - 1 <= rank.round) {
      if (!match(node, message))
        throw Failure(Failure::Kind::unmatched, fmt::format("nobody receives the message {}", to_text(message.name)));
      delivery_->matched(waiting);
    } else {
      message.next = rank.early;
      rank.early = waiting;
    }
    waiting = next;
  }
}

void Ranks::note_wait(int node, PathStep::Kind kind, int peer, Ticks begin, Ticks blocked, History::Id before) {
  Rank& rank = (*this)[node];
  rank.history = history_.add({kind, node, peer, rank.phase + 1, rank.round + 1, begin, world_.now, blocked, before});
}

void Ranks::interval(Work work, int node, Ticks begin, Ticks end) const {
  if (options_.observer == nullptr) return;
  const Rank& rank = (*this)[node];
  options_.observer->interval({work, node, rank.phase + 1, rank.round + 1, microseconds(begin), microseconds(end)});
}

}  // namespace tutti::simulate
