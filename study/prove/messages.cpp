// SPDX-License-Identifier: BSD-3-Clause
// Obligations on a round alone: its blocks exist, its messages meet, and no operation uses what
// another one writes.
#include "operations.hpp"

namespace tutti::prove {
namespace {

using schedule::Do;
using schedule::Op;
using schedule::Operand;
using schedule::Ranks;

void check_blocks(const Step& step, const Blocks& blocks) {
  if (blocks.empty()) return;
  const Block block =
      blocks[static_cast<std::size_t>(path().choose(static_cast<int>(blocks.size())))];
  path().require(block.count >= 1, "a block has at least one index");
  path().require(block.times >= 1, "a block has at least one run");
  // A cell is found by the distance of the runs, even where there is only one run.
  path().require(is_one_run(block) || block.stride >= block.count, "runs do not overlap");
  path().require(block.first >= 0, "no block lies before its buffer");
  path().require(block.first + (block.times - 1) * block.stride + block.count <=
                     step.memory.blocks(step.me, block.buffer),
                 "no block lies behind its buffer");
}

// The k-th block here has the size of the k-th block there.
void check_sizes(const Step& step, const Int& rank, const Blocks& blocks, const Int& other,
                 const Blocks& others) {
  path().require(length(blocks) == length(others), "as many blocks on both sides");
  if (step.memory.is_barrier() || blocks.empty()) return;
  const Int k = some_place(blocks);
  path().require(step.memory.same_part(rank, cell_at(blocks, k), other, cell_at(others, k)),
                 "blocks on both sides are the same parts");
}

void check_counts(const Op& op) {
  const bool messages = op.what != Do::receive && !senders_of(op).empty();
  path().require(op.what != Do::receive_combine || messages, "a receive takes a message");
  path().require(op.what == Do::receive_combine || !messages, "local work takes none");
  path().require(op.what != Do::copy || op.operands.size() == 1, "a copy has one source");
}

void check_operands(const Step& step, const Op& op) {
  check_counts(op);
  if (op.operands.empty()) return;
  const Operand& operand =
      op.operands[static_cast<std::size_t>(path().choose(static_cast<int>(op.operands.size())))];
  if (!operand.is_local()) return;
  check_blocks(step, operand.local);
  check_sizes(step, step.me, op.blocks, step.me, operand.local);
}

bool is_one_rank(const Ranks& set) {
  if (set.count.is_number() && set.count.number() == 1) return true;
  if (!set.stride.is_number() || set.stride.number() != 1)
    throw Unsupported{"a send to ranks that do not follow each other"};
  return false;
}

Truth contains(const Ranks& set, const Int& rank) {
  if (is_one_rank(set)) return schedule::all({set.first == rank, rank != set.except});
  return schedule::all({set.first <= rank, rank < set.first + set.count, rank != set.except});
}

// Returns an unknown rank of the set.
Int some_rank_in(const Ranks& set) {
  if (is_one_rank(set)) {
    path().require(set.first != set.except, "a message has a receiver");
    return set.first;
  }
  const Int rank = path().unknown("partner");
  path().assume(contains(set, rank));
  return rank;
}

void check_partner(const Step& step, const Int& partner) {
  path().require(0 <= partner && partner < step.memory.shape().p, "partners are ranks");
  path().require(partner != step.me, "nobody sends to itself");
}

using Found = std::optional<Blocks>;

// Returns the blocks of an operation that takes a message of `from`.
Found taken_from(const Round& round, const Int& from) {
  for (const Op& op : round.ops) {
    if (!is_message(op)) continue;
    for (const Int& sender : senders_of(op))
      if (sender == from) return op.blocks;
  }
  return std::nullopt;
}

Found sent_to(const Round& round, const Int& to) {
  for (const Op& op : round.ops)
    if (op.what == Do::send && contains(op.to, to)) return op.blocks;
  return std::nullopt;
}

// Returns the blocks of the other end, on `rank`, of a message of this rank. Where a loop emits it,
// the step is guessed: it has the number of this rank, or the distance between the two.
Blocks other_end(const Step& step, const Int& rank, Found (*find)(const Round&, const Int&),
                 const char* obligation) {
  const RoundView round = step.round_of(rank, step_number(step.me));
  if (const Found blocks = find(round, step.me)) return *blocks;
  const Int& p = step.memory.shape().p;
  for (int guess = 0; round.is_part && guess < 2; ++guess) {
    const Int number = guess == 0 ? mod(step.me - rank, p) : mod(rank - step.me, p);
    if (const Found blocks = find(step.round_of(rank, step_number(number)), step.me))
      return *blocks;
  }
  path().require(false, obligation);
  return {};
}

// The lists name the same cells in the same order, block by block.
bool same_list(const Step& step, const Blocks& a, const Blocks& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].times != 1 || b[i].times != 1 || a[i].count != b[i].count) return false;
    for (const Int& k : {Int(0), a[i].count - 1})
      if (!step.memory.same(step.me, {a[i].buffer, a[i].first + k}, {b[i].buffer, b[i].first + k}))
        return false;
  }
  return true;
}

void check_against_send(const Step& step, const Op& writer, const Cell& cell, const Op& send) {
  if (!is_message(writer)) {
    // Local work waits for the sends whose blocks it writes. Messages behind it would wait, too.
    return path().require(&writer == &step.round.ops.back(), "local work comes last");
  }
  // If both lists are equal, an executor delays each block. A second send could be in its way.
  if (number_of_sends(step.round) == 1 && same_list(step, writer.blocks, send.blocks)) {
    if (step.round.is_part) require_one_send(step, step.me, "no second send is in the way");
    return;
  }
  require_apart(step, cell, send.blocks, "no message overwrites what is sent");
}

void check_itself(const Step& step, const Op& op, const Int& k, const Cell& cell) {
  const Int other = some_place(op.blocks);
  if (path().choose(2) == 0) {
    path().assume(other != k);
    return path().require(negated(step.memory.same(step.me, cell, cell_at(op.blocks, other))),
                          "no block is written twice");
  }
  for (const Operand& operand : op.operands) {
    if (!operand.is_local()) continue;
    path().assume(other != k);
    path().require(negated(step.memory.same(step.me, cell, cell_at(operand.local, other))),
                   "an operand meets the result at the same place only");
  }
}

}  // namespace

void blocks_are_there(const Subject& subject) {
  const Step step(subject, {Steps::any_and_ends});
  const Op& op = step.some_operation();
  for (const Block& block : op.blocks)
    path().require(op.what == Do::send || block.buffer != Buffer::input, "input is never written");
  if (path().choose(2) == 0) return check_blocks(step, op.blocks);
  if (op.what != Do::send && op.what != Do::receive) check_operands(step, op);
}

void messages_meet(const Subject& subject) {
  const Step step(subject, {Steps::any});
  const Op& op = step.some_operation();
  if (op.what != Do::send && !is_message(op)) return;
  const Int partner = op.what == Do::send ? some_rank_in(op.to) : some_sender(op);
  check_partner(step, partner);
  const Blocks theirs = op.what == Do::send
                            ? other_end(step, partner, taken_from, "a send meets a receive")
                            : other_end(step, partner, sent_to, "a receive meets a send");
  check_sizes(step, step.me, op.blocks, partner, theirs);
}

// With messages_meet: each send meets exactly one receive, and each receive one send.
void messages_are_single(const Subject& subject) {
  const Step step(subject, {Steps::any_two});
  const bool sends = path().choose(2) == 0;
  std::vector<Ranks> partners;
  for (const Op& op : step.round.ops) {
    if (sends && op.what == Do::send) partners.push_back(op.to);
    if (sends || !is_message(op)) continue;
    for (const Int& sender : senders_of(op)) partners.push_back({sender});
  }
  const int count = static_cast<int>(partners.size());
  if (count < 2) return;
  const int second = 1 + path().choose(count - 1), first = path().choose(second);
  const Ranks& one = partners[static_cast<std::size_t>(first)];
  path().require(negated(contains(partners[static_cast<std::size_t>(second)], some_rank_in(one))),
                 "no two messages of a round have the same ends");
}

void nothing_is_used_too_early(const Subject& subject) {
  const Step step(subject, {Steps::any_two});
  const Op& writer = step.some_operation();
  if (writer.what == Do::send || writer.blocks.empty()) return;
  const Op& other = step.some_operation();
  const Int k = some_place(writer.blocks);
  const Cell cell = cell_at(writer.blocks, k);
  if (&writer == &other) return check_itself(step, writer, k, cell);
  if (other.what == Do::send) return check_against_send(step, writer, cell, other);
  if (writer.what == Do::combine && is_message(other))
    path().require(&other < &writer, "no message waits for a local combine");
  const char* obligation = "no operation uses what another one writes";
  const int list = path().choose(1 + static_cast<int>(other.operands.size()));
  require_apart(step, cell,
                list == 0 ? other.blocks : other.operands[static_cast<std::size_t>(list - 1)].local,
                obligation);
}

}  // namespace tutti::prove
