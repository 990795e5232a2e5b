// SPDX-License-Identifier: BSD-3-Clause
// Obligations on a round alone: its blocks exist, its messages meet, and no operation uses what
// another one writes.
#include "statement.hpp"

namespace tutti::prove {
namespace {

using schedule::Do;
using schedule::Op;
using schedule::Operand;

bool is_message(const Op& op) {
  return op.what == Do::receive || op.what == Do::receive_combine;
}

void check_blocks(const Step& step, const Blocks& blocks) {
  if (blocks.empty()) return;
  const Block block =
      blocks[static_cast<std::size_t>(path().choose(static_cast<int>(blocks.size())))];
  path().require(block.count >= 1, "a block has at least one index");
  path().require(block.times >= 1, "a block has at least one run");
  path().require(block.times == 1 || block.stride >= block.count, "runs do not overlap");
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
  path().require(
      step.memory.part(rank, cell_at(blocks, k)) == step.memory.part(other, cell_at(others, k)),
      "blocks on both sides are the same parts");
}

void check_operands(const Step& step, const Op& op) {
  int messages = 0;
  for (const Operand& operand : op.operands) messages += operand.is_local() ? 0 : 1;
  path().require(op.what != Do::receive_combine || messages > 0, "a receive takes a message");
  path().require(op.what == Do::receive_combine || messages == 0, "local work takes none");
  path().require(op.what != Do::copy || op.operands.size() == 1, "a copy has one source");
  if (op.operands.empty()) return;
  const Operand& operand =
      op.operands[static_cast<std::size_t>(path().choose(static_cast<int>(op.operands.size())))];
  if (!operand.is_local()) return;
  check_blocks(step, operand.local);
  check_sizes(step, step.me, op.blocks, step.me, operand.local);
}

// Returns from whom one of the messages comes that the operation takes.
Rank some_sender(const Op& op) {
  if (op.what == Do::receive) return Rank{op.to.first};
  std::vector<Rank> senders;
  for (const Operand& operand : op.operands)
    if (!operand.is_local()) senders.push_back(operand.from);
  return senders[static_cast<std::size_t>(path().choose(static_cast<int>(senders.size())))];
}

void check_partner(const Step& step, const Int& partner) {
  path().require(0 <= partner && partner < step.memory.shape().p, "partners are ranks");
  path().require(partner != step.me, "nobody sends to itself");
}

// Returns the blocks of the one operation that takes a message of `from`.
Blocks taken_from(const Round& round, const Int& from) {
  std::vector<Blocks> found;
  for (const Op& op : round.ops) {
    if (op.what == Do::receive && op.to.first == from) found.push_back(op.blocks);
    if (op.what != Do::receive_combine) continue;
    for (const Operand& operand : op.operands)
      if (!operand.is_local() && num(operand.from) == from) found.push_back(op.blocks);
  }
  path().require(found.size() == 1, "a send meets one receive");
  return found.front();
}

Blocks sent_to(const Round& round, const Int& to) {
  std::vector<Blocks> found;
  for (const Op& op : round.ops)
    if (op.what == Do::send && op.to.first == to) found.push_back(op.blocks);
  path().require(found.size() == 1, "a receive meets one send");
  return found.front();
}

int number_of_sends(const Round& round) {
  int sends = 0;
  for (const Op& op : round.ops) sends += op.what == Do::send ? 1 : 0;
  return sends;
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

// Shows that the cell which an operation writes is none of the blocks of another operation.
void check_against(const Step& step, const Cell& cell, const Blocks& used, const char* obligation) {
  if (used.empty()) return;
  const Cell other = cell_at(used, some_place(used));
  path().require(negated(step.memory.same(step.me, cell, other)), obligation);
}

void check_against_send(const Step& step, const Op& writer, const Cell& cell, const Op& send) {
  if (!is_message(writer)) {
    // Local work waits for the sends whose blocks it writes. Messages behind it would wait, too.
    return path().require(&writer == &step.round.ops.back(), "local work comes last");
  }
  // If both lists are equal, an executor delays each block. A second send could be in its way.
  if (number_of_sends(step.round) == 1 && same_list(step, writer.blocks, send.blocks)) return;
  check_against(step, cell, send.blocks, "no message overwrites what is sent");
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
  const Step step(subject);
  const Op& op = step.some_operation();
  for (const Block& block : op.blocks)
    path().require(op.what == Do::send || block.buffer != Buffer::input, "input is never written");
  if (path().choose(2) == 0) return check_blocks(step, op.blocks);
  if (op.what != Do::send && op.what != Do::receive) check_operands(step, op);
}

void messages_meet(const Subject& subject) {
  const Step step(subject);
  const Op& op = step.some_operation();
  if (op.what == Do::send) {
    if (op.to.count != 1) throw Unsupported{"a send to many ranks"};
    const Int to = op.to.first;
    check_partner(step, to);
    path().require(op.to.except != to, "a message has a receiver");
    static_cast<void>(sent_to(step.round, to));
    return check_sizes(step, step.me, op.blocks, to, taken_from(step.round_of(to), step.me));
  }
  if (!is_message(op)) return;
  const Int from = num(some_sender(op));
  check_partner(step, from);
  const Round theirs = step.round_of(from);
  check_sizes(step, step.me, op.blocks, from, sent_to(theirs, step.me));
  // A combine takes its messages in turn. Their senders wait for nobody if they have no other send.
  if (op.operands.size() > 2)
    path().require(number_of_sends(theirs) == 1, "nobody waits in a circle");
}

void nothing_is_used_too_early(const Subject& subject) {
  const Step step(subject);
  const Op& writer = step.some_operation();
  if (writer.what == Do::send || writer.blocks.empty()) return;
  const Op& other = step.some_operation();
  const Int k = some_place(writer.blocks);
  const Cell cell = cell_at(writer.blocks, k);
  if (&writer == &other) return check_itself(step, writer, k, cell);
  if (other.what == Do::send) return check_against_send(step, writer, cell, other);
  const char* obligation = "no operation uses what another one writes";
  const int list = path().choose(1 + static_cast<int>(other.operands.size()));
  check_against(step, cell,
                list == 0 ? other.blocks : other.operands[static_cast<std::size_t>(list - 1)].local,
                obligation);
}

}  // namespace tutti::prove
