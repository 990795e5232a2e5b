// SPDX-License-Identifier: BSD-3-Clause
#include "mutants.hpp"

#include <algorithm>

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
    return;
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

void change(Round& round, const Shape& shape) {
  const auto number = static_cast<std::size_t>(edit.operation);
  if (number >= round.ops.size()) return;
  Op& op = round.ops[number];
  switch (edit.kind) {
    case Kind::partner:
      return change_partner(op, shape);
    case Kind::swap_operands:
      if (op.operands.size() > 1) std::swap(op.operands[0], op.operands[1]);
      return;
    case Kind::drop_operation:
      round.ops.erase(round.ops.begin() + edit.operation);
      return;
    default:
      return change_block(op);
  }
}

void emit(Round& out, const Shape& shape, Rank me, Int t) {
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
  }
  return "?";
}

}  // namespace

std::string Mutation::text() const {
  const bool counted =
      kind == Kind::partner || kind == Kind::first_block || kind == Kind::block_count;
  const bool whole = kind == Kind::other_round || kind == Kind::fewer_rounds;
  return (whole ? "" : "operation " + std::to_string(operation) + ": ") + name_of(kind) +
         (counted ? (by > 0 ? " + 1" : " - 1") : "");
}

std::vector<Mutation> mutations() {
  std::vector<Mutation> list;
  for (int operation = 0; operation < 3; ++operation) {
    for (const int by : {1, -1}) {
      list.push_back({Kind::partner, operation, by});
      list.push_back({Kind::first_block, operation, by});
      list.push_back({Kind::block_count, operation, by});
    }
    list.push_back({Kind::other_buffer, operation});
    list.push_back({Kind::swap_operands, operation});
    list.push_back({Kind::drop_operation, operation});
  }
  list.push_back({Kind::other_round});
  list.push_back({Kind::fewer_rounds});
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
