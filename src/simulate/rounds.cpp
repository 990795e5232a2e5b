// SPDX-License-Identifier: BSD-3-Clause
// What a round asks of a rank, and messages that meet their receives.
#include <algorithm>
#include <tuple>

#include "simulate/delivery.hpp"
#include "simulate/queue.hpp"
#include "simulate/ranks.hpp"
#include "simulate/text.hpp"

namespace tutti::simulate {
namespace {

bool earlier_round(const Message& a, const Message& b) {
  return std::tuple(a.name.phase, a.name.step, a.name.from, a.sequence) <
         std::tuple(b.name.phase, b.name.step, b.name.from, b.sequence);
}

// From how many receives of a round on they are looked up and not searched.
constexpr int many = 32;

}  // namespace

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

void Ranks::read_round(int node, const schedule::Round& round) {
  Rank& rank = (*this)[node];
  const int before = rank.receives;
  gather_early(rank);
  for (const schedule::Op& op : round.ops) {
    if (op.what == Do::send) {
      read_sends(rank, op);
    } else if (op.what == Do::receive || op.what == Do::receive_combine) {
      read_receive(node, op, before);
    }
  }
  if (arrived_.empty()) return;
  throw Failure(Failure::Kind::unmatched,
                fmt::format("nobody receives the message {}", to_text(world_.messages[arrived_[0]].name)));
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
void Ranks::read_receive(int node, const schedule::Op& op, int before) {
  const Rank& rank = (*this)[node];
  const auto from = [&](int member, bool combine) {
    expect(node, {no_slot, rank.running->node(member), rank.round, combine, 0}, rank.receives - before);
  };
  if (op.what == Do::receive) return from(op.to.first, false);
  bool combine = std::any_of(op.operands.begin(), op.operands.end(), [](const auto& o) { return o.is_local(); });
  for (const schedule::Operand& operand : op.operands) {
    if (operand.is_local()) continue;
    from(num(operand.from), combine);
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
    rank.early = add(world_.messages, rank.early, slot, earlier_round);
    return false;
  }
  if (!here || !match(node, message))
    throw Failure(Failure::Kind::unmatched, fmt::format("nobody receives the message {}", to_text(name)));
  end_round_if_done(node);
  return true;
}

Slot Ranks::take_expected(int node, int from, int round) {
  Rank& rank = (*this)[node];
  Slot before = no_slot, at = rank.expected;
  while (at != no_slot && (entries_[at].peer != from || entries_[at].round != round))
    before = std::exchange(at, entries_[at].next);
  if (at != no_slot) {
    (before == no_slot ? rank.expected : entries_[before].next) = entries_[at].next;
    if (rank.last_expected == at) rank.last_expected = before;
    return at;
  }
  const auto found = many_expected_.find({node, from, round});
  if (found == many_expected_.end()) return no_slot;
  const Slot slot = found->second;
  found->second = entries_[slot].next;
  if (found->second == no_slot) many_expected_.erase(found);
  return slot;
}

// Lists are short: the rest of a round with many receives is kept aside.
void Ranks::expect(int node, const Entry& entry, int before) {
  if (!arrived_.empty() && meet_early(node, entry)) return;
  Rank& rank = (*this)[node];
  ++rank.receives;
  if (before < many) return append(rank.expected, rank.last_expected, entry);
  const Slot slot = entries_.take();
  entries_[slot] = entry;
  const auto [place, added] = many_expected_.try_emplace({node, entry.peer, entry.round}, slot);
  entries_[slot].next = added ? no_slot : std::exchange(place->second, slot);
}

bool Ranks::match(int node, const Message& message) {
  Rank& rank = (*this)[node];
  const Slot entry = take_expected(node, message.name.from, message.name.step - 1);
  if (entry == no_slot) return false;
  const bool combines = entries_[entry].combine;
  entries_.give(entry);
  --rank.receives;
  const bool idle = rank.sends == 0 && world_.now > rank.free_since;
  if (idle) {
    rank.waiting += world_.now - rank.free_since;
    rank.free_since = world_.now;
  }
  if (combines) {
    combine(node, message.bytes);
    rank.free_since = std::max(rank.free_since, rank.busy_until);
  }
  if (idle && rank.receives == 0)
    note_wait(node, PathStep::Kind::message, message.name.from, message.begin, message.waited, message.history);
  return true;
}

// Takes the messages of the round that are there already.
void Ranks::gather_early(Rank& rank) {
  while (rank.early != no_slot) {
    const Slot slot = rank.early;
    const Name& name = world_.messages[slot].name;
    if (name.phase - 1 != rank.phase || name.step - 1 > rank.round) return;
    rank.early = without_top(world_.messages, slot, earlier_round);
    arrived_.push_back(slot);
  }
}

bool Ranks::meet_early(int node, const Entry& entry) {
  const auto found = std::find_if(arrived_.begin(), arrived_.end(), [&](Slot slot) {
    const Name& name = world_.messages[slot].name;
    return name.from == entry.peer && name.step - 1 == entry.round;
  });
  if (found == arrived_.end()) return false;
  const Slot slot = *found;
  arrived_.erase(found);
  if (entry.combine) combine(node, world_.messages[slot].bytes);
  delivery_->matched(slot);
  return true;
}

void Ranks::combine(int node, std::int64_t bytes) {
  Rank& rank = (*this)[node];
  const Ticks begin = std::max(world_.now, rank.busy_until), time = world_.costs.combine(bytes);
  rank.busy_until = begin + time;
  rank.combining += time;
  if (time > 0) interval(Work::combine, node, begin, begin + time);
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
