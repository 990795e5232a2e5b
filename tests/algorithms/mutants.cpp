// SPDX-License-Identifier: BSD-3-Clause
// Lists and applies the edits of mutants.hpp.
#include "mutants.hpp"

#include <fmt/format.h>

#include <utility>

#include "schedule/printer.hpp"

namespace tutti {
namespace {

using schedule::Blocks;
using schedule::Do;
using schedule::Op;
using schedule::Operand;
using Kind = Edit::Kind;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

void add_block_edits(const Blocks& blocks, Edit edit, std::vector<Edit>& edits) {
  for (edit.block = 0; edit.block < static_cast<int>(blocks.size()); ++edit.block) {
    for (edit.by = -1; edit.by <= 1; edit.by += 2) {
      edit.kind = Kind::first_block;
      edits.push_back(edit);
      edit.kind = Kind::block_count;
      if (blocks[at(edit.block)].count + edit.by > 0) edits.push_back(edit);
    }
  }
}

void add_edits(const Op& op, Edit edit, std::vector<Edit>& edits) {
  edit.kind = Kind::drop_op;
  edits.push_back(edit);
  const bool has_partner = op.what == Do::send || op.what == Do::receive;
  edit.by = 1;
  edit.kind = Kind::partner;
  if (has_partner && op.to.count == 1) edits.push_back(edit);
  edit.kind = Kind::swap_operands;
  if (op.operands.size() > 1) edits.push_back(edit);
  add_block_edits(op.blocks, edit, edits);
  for (edit.operand = 0; edit.operand < static_cast<int>(op.operands.size()); ++edit.operand) {
    const Operand& operand = op.operands[at(edit.operand)];
    edit.kind = Kind::partner;
    edit.by = 1;
    if (!operand.is_local()) edits.push_back(edit);
    add_block_edits(operand.local, edit, edits);
  }
}

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::partner:
      return "partner";
    case Kind::swap_operands:
      return "operands exchanged";
    case Kind::first_block:
      return "first block";
    case Kind::block_count:
      return "number of blocks";
    case Kind::drop_op:
      return "left out";
    case Kind::drop_round:
      return "round left out";
    case Kind::swap_ops:
      return "exchanged with the next";
  }
  return "?";
}

}  // namespace

std::vector<Edit> edits_of(const Schedule& schedule) {
  std::vector<Edit> edits;
  Edit edit;
  for (edit.rank = 0; edit.rank < static_cast<int>(schedule.size()); ++edit.rank) {
    const schedule::Program& program = schedule[at(edit.rank)];
    for (edit.round = 0; edit.round < static_cast<int>(program.size()); ++edit.round) {
      const std::vector<Op>& ops = program[at(edit.round)].ops;
      Edit whole = edit;
      whole.kind = Kind::drop_round;
      if (ops.size() > 1) edits.push_back(whole);
      whole.kind = Kind::swap_ops;
      for (whole.op = 0; whole.op + 1 < static_cast<int>(ops.size()); ++whole.op)
        edits.push_back(whole);
      for (edit.op = 0; edit.op < static_cast<int>(ops.size()); ++edit.op)
        add_edits(ops[at(edit.op)], edit, edits);
      edit.op = 0;
    }
  }
  return edits;
}

Schedule edited(Schedule schedule, const Edit& edit) {
  const int p = static_cast<int>(schedule.size());
  std::vector<Op>& ops = schedule[at(edit.rank)][at(edit.round)].ops;
  Op& op = ops[at(edit.op)];
  Operand* operand = edit.operand < 0 ? nullptr : &op.operands[at(edit.operand)];
  Blocks& blocks = operand == nullptr ? op.blocks : operand->local;
  switch (edit.kind) {
    case Kind::partner:
      if (operand == nullptr) {
        op.to.first = schedule::mod(op.to.first + edit.by, p);
      } else {
        operand->from = schedule::Rank{schedule::mod(num(operand->from) + edit.by, p)};
      }
      break;
    case Kind::swap_operands:
      std::swap(op.operands[0], op.operands[1]);
      break;
    case Kind::first_block:
      blocks[at(edit.block)].first += edit.by;
      break;
    case Kind::block_count:
      blocks[at(edit.block)].count += edit.by;
      break;
    case Kind::drop_op:
      ops.erase(ops.begin() + edit.op);
      break;
    case Kind::drop_round:
      ops.clear();
      break;
    case Kind::swap_ops:
      std::swap(op, ops[at(edit.op + 1)]);
      break;
  }
  return schedule;
}

std::string describe(const Schedule& schedule, const Edit& edit) {
  const Op& op = schedule[at(edit.rank)][at(edit.round)].ops[at(edit.op)];
  const bool counted = edit.kind == Kind::first_block || edit.kind == Kind::block_count ||
                       edit.kind == Kind::partner;
  return fmt::format("rank {}, round {}, {}: {}{}{}", edit.rank, edit.round, schedule::to_text(op),
                     name_of(edit.kind), counted ? fmt::format(" {:+}", edit.by) : "",
                     edit.operand < 0 ? "" : fmt::format(" of operand {}", edit.operand));
}

}  // namespace tutti
