// SPDX-License-Identifier: BSD-3-Clause
// Forwarding of the copies that begin a Program.
#include "engine/forward.hpp"

#include <algorithm>
#include <optional>

namespace tutti::engine {
namespace {

using schedule::Block;
using schedule::Blocks;
using schedule::Buffer;
using schedule::Do;
using schedule::Op;
using schedule::Operand;
using schedule::Program;
using schedule::Round;

bool overlap(const Block& a, const Block& b) {
  if (a.buffer != b.buffer) return false;
  for (int i = 0; i < a.times; ++i) {
    for (int j = 0; j < b.times; ++j) {
      const int x = a.first + i * a.stride, y = b.first + j * b.stride;
      if (x < y + b.count && y < x + a.count) return true;
    }
  }
  return false;
}

bool overlap(const Blocks& a, const Blocks& b) {
  return std::any_of(a.begin(), a.end(), [&](const Block& x) {
    return std::any_of(b.begin(), b.end(), [&](const Block& y) { return overlap(x, y); });
  });
}

// Reads of exactly `copied` become reads of `source`. False if something reads a part of it.
bool redirect(Blocks& read, const Blocks& copied, const Blocks& source) {
  if (read == copied) {
    read = source;
    return true;
  }
  return !overlap(read, copied);
}

enum class Outcome { untouched, overwritten, impossible };

Outcome redirect_reads(Op& op, const Blocks& copied, const Blocks& source) {
  if (op.what == Do::send) return redirect(op.blocks, copied, source) ? Outcome::untouched : Outcome::impossible;
  for (Operand& operand : op.operands) {
    if (operand.is_local() && !redirect(operand.local, copied, source)) return Outcome::impossible;
  }
  if (op.blocks == copied) return Outcome::overwritten;
  return overlap(op.blocks, copied) ? Outcome::impossible : Outcome::untouched;
}

// Sends read the state before the round, so they come first whatever their place in the list.
Outcome redirect_reads(Round& round, const Blocks& copied, const Blocks& source) {
  for (Op& op : round.ops) {
    if (op.what == Do::send && redirect_reads(op, copied, source) == Outcome::impossible) return Outcome::impossible;
  }
  for (Op& op : round.ops) {
    if (op.what == Do::send) continue;
    const Outcome outcome = redirect_reads(op, copied, source);
    if (outcome != Outcome::untouched) return outcome;
  }
  return Outcome::untouched;
}

// The Program without its n-th operation of round 0, or nothing where that copy is needed.
std::optional<Program> without_copy(Program program, std::size_t nth) {
  const Op copy = program.front().ops[nth];
  program.front().ops.erase(program.front().ops.begin() + static_cast<std::ptrdiff_t>(nth));
  const Blocks& source = copy.operands.front().local;
  for (std::size_t t = 1; t < program.size(); ++t) {
    const Outcome outcome = redirect_reads(program[t], copy.blocks, source);
    if (outcome == Outcome::impossible) return std::nullopt;
    if (outcome == Outcome::overwritten) return program;
  }
  const bool is_result = std::any_of(copy.blocks.begin(), copy.blocks.end(),
                                     [](const Block& block) { return block.buffer == Buffer::output; });
  return is_result ? std::nullopt : std::optional(std::move(program));
}

bool copies_input(const Op& op) {
  if (op.what != Do::copy) return false;
  const Blocks& source = op.operands.front().local;
  return std::all_of(source.begin(), source.end(), [](const Block& block) { return block.buffer == Buffer::input; });
}

}  // namespace

Program forward_copies(Program program) {
  if (program.empty()) return program;
  const auto& first = program.front().ops;
  if (!std::all_of(first.begin(), first.end(), copies_input)) return program;
  for (std::size_t nth = first.size(); nth-- > 0;) {
    if (auto shorter = without_copy(program, nth)) program = std::move(*shorter);
  }
  return program;
}

}  // namespace tutti::engine
