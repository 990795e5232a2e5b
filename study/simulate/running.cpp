// SPDX-License-Identifier: BSD-3-Clause
// Binds the rounds of a generator or of Programs to nodes and bytes (running.hpp).
#include "simulate/running.hpp"

#include <algorithm>
#include <utility>

#include "schedule/normalize.hpp"
#include "simulate/check.hpp"

namespace tutti::simulate {

using schedule::Do;
using schedule::Op;
using schedule::Round;

namespace {

Manner manner_of(const JobOperation& operation) {
  return {operation.shape.p, operation.posting, operation.pairwise};
}

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

bool is_local(const Op& op) {
  return op.what == Do::copy || op.what == Do::combine;
}

}  // namespace

int rounds_of(const JobOperation& operation) {
  if (operation.generator != nullptr) return operation.generator->rounds(operation.shape);
  std::size_t rounds = 0;
  for (const schedule::Program& program : operation.programs)
    rounds = std::max(rounds, program.size());
  return static_cast<int>(rounds);
}

Running::Running(const JobOperation& operation)
    : BoundOperation(manner_of(operation)),
      operation_(operation),
      rounds_(rounds_of(operation)),
      sizes_(operation, buffers_of(operation)) {}

// Returns a round as the generator or the Program has it, valid until the next call.
const Round& Running::written(int member, int t) {
  scratch_.ops.clear();
  if (operation_.generator != nullptr) {
    operation_.generator->emit(scratch_, operation_.shape, schedule::Rank{member}, t);
    return scratch_;
  }
  const schedule::Program& program = operation_.programs[at(member)];
  return at(t) < program.size() ? program[at(t)] : scratch_;
}

// Finds out which copies of the first round vanish. Later rounds have to know only if receives are
// posted ahead, because it then matters what a send reads.
void Running::forward(const Round& first, int member) {
  vanished_.clear();
  const bool may =
      operation_.generator != nullptr && !first.ops.empty() && first.ops.front().what == Do::copy;
  if (!may) return;
  Round merged = first, later;
  schedule::merge_blocks(merged);
  vanished_ = schedule::forwarded_copies(merged, rounds_, [&](int t) -> const Round& {
    later.ops.clear();
    operation_.generator->emit(later, operation_.shape, schedule::Rank{member}, t);
    schedule::merge_blocks(later);
    return later;
  });
  if (vanished_.empty() || operation_.posting != Posting::ahead) return;
  kept_.resize(at(operation_.shape.p));
  kept_[at(member)] = vanished_;
}

bool Running::vanishes(std::size_t place, int t) const {
  return t == 0 &&
         std::any_of(vanished_.begin(), vanished_.end(),
                     [&](const schedule::Forwarded& copy) { return copy.place == place; });
}

void Running::read(NodeRound& round, int member, int t) {
  const Round& all = written(member, t);
  if (t == 0) forward(all, member);
  for (std::size_t i = 0; i < all.ops.size(); ++i) {
    const Op& op = all.ops[i];
    const bool free_copy = op.what == Do::copy && operation_.copies == simulate::Copies::free;
    if (free_copy || (is_local(op) && vanishes(i, t))) continue;
    schedule::bind(round, op, [&] { return sizes_.bytes(op.blocks, member); });
    if (op.what == Do::send && !round.passes_on && operation_.posting == Posting::ahead)
      round.passes_on = passes_on(op, member, t);
  }
  put_in_nodes(round);
  if (operation_.idle > 0 && std::all_of(all.ops.begin(), all.ops.end(), is_local))
    round.computing = ticks(operation_.idle);  // messages of earlier rounds may be on their way
}

void Running::put_in_nodes(NodeRound& round) const {
  if (operation_.nodes.empty()) return;
  for (BoundSend& send : round.sends) send.to = node(send.to);
  for (BoundReceive& receive : round.receives) receive.from = node(receive.from);
}

// The data of a send may have come with an earlier message if it is not read from the input.
bool Running::passes_on(const Op& send, int member, int t) const {
  const bool beyond_input = schedule::reads_beyond_input(send);
  if (!beyond_input || kept_.empty() || kept_[at(member)].empty()) return beyond_input;
  Round merged;
  merged.ops.push_back(send);
  schedule::merge_blocks(merged);
  const Copies& copies = kept_[at(member)];
  return std::none_of(copies.begin(), copies.end(), [&](const schedule::Forwarded& copy) {
    return t <= copy.overwritten && merged.ops.front().blocks == copy.copied;
  });
}

}  // namespace tutti::simulate
