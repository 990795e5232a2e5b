// SPDX-License-Identifier: BSD-3-Clause
#include "mutants.hpp"

#include <algorithm>
#include <array>

#include "view.hpp"

namespace tutti::prove {
namespace {

using schedule::Buffer;
using schedule::Buffers;
using schedule::Do;
using schedule::Generator;
using schedule::Int;
using schedule::Op;
using schedule::Rank;
using schedule::Round;
using schedule::Shape;
using Kind = Mutation::Kind;

// A generator is a table of plain functions, so what they change stands here.
Generator original{};
Mutation edit;

Buffer other(Buffer buffer) {
  return buffer == Buffer::scratch ? Buffer::output : Buffer::scratch;
}

Int moved(const Int& rank, const Shape& shape) {
  return mod(rank + edit.by, shape.p);
}

void change_partner(Op& op, const Shape& shape) {
  if (op.what == Do::send || op.what == Do::receive) op.to.first = moved(op.to.first, shape);
  for (schedule::Operand& operand : op.operands) {
    if (operand.is_local()) continue;
    operand.from = Rank{moved(num(operand.from), shape)};
    if (!edit.of_sort) return;
  }
}

// The blocks that are changed: those of the operation, or those of a copy's source.
void change_block(Op& op) {
  if (op.blocks.empty()) return;
  schedule::Block& block = op.blocks.front();
  if (edit.kind == Kind::first_block) block.first += edit.by;
  if (edit.kind == Kind::block_count) block.count += edit.by;
  if (edit.kind == Kind::other_buffer) block.buffer = other(block.buffer);
}

void change_own_operand(Op& op) {
  for (schedule::Operand& operand : op.operands)
    for (schedule::Block& block : operand.local) block.first += edit.by;
}

void change(Op& op, const Shape& shape) {
  switch (edit.kind) {
    case Kind::partner:
      return change_partner(op, shape);
    case Kind::swap_operands:
      if (op.operands.size() > 1) std::swap(op.operands[0], op.operands[1]);
      return;
    case Kind::own_operand:
      return change_own_operand(op);
    default:
      return change_block(op);
  }
}

void change(Round& round, const Shape& shape) {
  std::vector<Op> ops;
  for (std::size_t i = 0; i < round.ops.size(); ++i) {
    const int number = edit.of_sort ? static_cast<int>(round.ops[i].what) : static_cast<int>(i);
    if (number != edit.operation) {
      ops.push_back(std::move(round.ops[i]));
    } else if (edit.kind != Kind::drop_operation) {
      change(round.ops[i], shape);
      ops.push_back(std::move(round.ops[i]));
    }
  }
  round.ops = std::move(ops);
}

LoopChange loop_change() {
  switch (edit.kind) {
    case Kind::loop_begin:
      return {.first = edit.by};
    case Kind::loop_end:
      return {.last = edit.by};
    case Kind::loop_number:
      return {.number = edit.by};
    case Kind::loop_twice:
      return {.twice = true};
    default:
      return {};
  }
}

void emit(Round& out, const Shape& shape, Rank me, Int t) {
  const ChangedLoops changed(loop_change());
  const bool later = edit.kind == Kind::other_round;
  original.emit(out, shape, me, later ? original.rounds(shape) - 1 - t : t);
  change(out, shape);
}

Int rounds(const Shape& shape) {
  return original.rounds(shape) - (edit.kind == Kind::fewer_rounds ? 1 : 0);
}

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::partner:
      return "partner";
    case Kind::first_block:
      return "first block";
    case Kind::block_count:
      return "number of blocks";
    case Kind::other_buffer:
      return "another buffer";
    case Kind::swap_operands:
      return "operands exchanged";
    case Kind::drop_operation:
      return "left out";
    case Kind::other_round:
      return "rounds backwards";
    case Kind::fewer_rounds:
      return "a round less";
    case Kind::loop_begin:
      return "first step";
    case Kind::loop_end:
      return "last step";
    case Kind::loop_number:
      return "number of a step";
    case Kind::loop_twice:
      return "each step twice";
    case Kind::own_operand:
      return "block of its own operand";
  }
  return "?";
}

}  // namespace

std::string Mutation::text() const {
  static constexpr std::array sorts{"sends", "receives", "combines of messages", "copies"};
  const bool whole = kind == Kind::other_round || kind == Kind::fewer_rounds;
  const bool loop = kind == Kind::loop_begin || kind == Kind::loop_end ||
                    kind == Kind::loop_number || kind == Kind::loop_twice;
  const bool counted = kind == Kind::partner || kind == Kind::first_block ||
                       kind == Kind::block_count || kind == Kind::own_operand ||
                       (loop && kind != Kind::loop_twice);
  const std::string what = of_sort ? sorts[static_cast<std::size_t>(operation)]
                                   : "operation " + std::to_string(operation);
  return (whole  ? ""
          : loop ? "loops: "
                 : what + ": ") +
         name_of(kind) + (counted ? (by > 0 ? " + 1" : " - 1") : "");
}

std::vector<Mutation> mutations(const Generator& generator) {
  std::vector<Mutation> list;
  const bool loops = has_loops(generator);
  for (int operation = 0; operation < (loops ? 4 : 3); ++operation) {
    const Do sort = static_cast<Do>(operation);
    for (const int by : {1, -1}) {
      if (!loops || sort != Do::copy) list.push_back({Kind::partner, operation, by, loops});
      list.push_back({Kind::first_block, operation, by, loops});
      list.push_back({Kind::block_count, operation, by, loops});
      if (loops && (sort == Do::receive_combine || sort == Do::copy))
        list.push_back({Kind::own_operand, operation, by, loops});
    }
    list.push_back({Kind::other_buffer, operation, 1, loops});
    if (!loops) list.push_back({Kind::swap_operands, operation});
    list.push_back({Kind::drop_operation, operation, 1, loops});
  }
  for (const int by : {1, -1}) {
    if (!loops) continue;
    list.push_back({Kind::loop_begin, -1, by});
    list.push_back({Kind::loop_end, -1, by});
    list.push_back({Kind::loop_number, -1, by});
  }
  if (loops) list.push_back({Kind::loop_twice, -1});
  list.push_back({Kind::other_round, -1});
  list.push_back({Kind::fewer_rounds, -1});
  return list;
}

Generator mutant_of(const Generator& generator, const Mutation& mutation) {
  original = generator;
  edit = mutation;
  Generator mutant = generator;
  mutant.emit = emit;
  mutant.rounds = rounds;
  return mutant;
}

}  // namespace tutti::prove
