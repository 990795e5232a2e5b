// SPDX-License-Identifier: BSD-3-Clause
// Forwards the copies that begin a Program: later reads of a copy go to its source.
#include "schedule/forward.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace tutti::schedule {
namespace {

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

enum class Outcome { untouched, overwritten, impossible };

bool writes_output(const Op& op) {
  return op.what != Do::send &&
         std::any_of(op.blocks.begin(), op.blocks.end(),
                     [](const Block& block) { return block.buffer == Buffer::output; });
}

bool receives_output(const Op& op) {
  return (op.what == Do::receive || op.what == Do::receive_combine) && writes_output(op);
}

bool all_output(const Blocks& blocks) {
  return std::all_of(blocks.begin(), blocks.end(),
                     [](const Block& block) { return block.buffer == Buffer::output; });
}

// Redirects reads of a copy to its source, round by round. In place, output is the memory of the
// input. So once anything else has been written to output, the input cannot be read in place of the
// copy any more. In a round that writes output, a read of the input would meet these writes where
// that of a copy in scratch does not. A message may arrive where a send has read, but not where
// another operation of the round reads.
class Redirection {
 public:
  Redirection(const Op& copy, bool output_is_written)
      : copied_(copy.blocks),
        source_(copy.operands.front().local),
        source_in_output_(copy.operands.front().local),
        output_is_written_(output_is_written) {
    for (Block& block : source_in_output_) block.buffer = Buffer::output;
  }

  // Sends read the state before the round, so they come first whatever their place in the list.
  Outcome apply(Round& round) {
    meets_output_ = !all_output(copied_) &&
                    std::any_of(round.ops.begin(), round.ops.end(), [this](const Op& op) {
                      return writes_output(op) && op.blocks != source_in_output_;
                    });
    for (Op& op : round.ops) {
      if (op.what == Do::send && !redirect(op.blocks)) return Outcome::impossible;
    }
    const bool sends_meet_output = meets_output_;
    for (Op& op : round.ops) {
      if (op.what == Do::send) continue;
      meets_output_ = sends_meet_output || meets_a_message(round, op);
      const Outcome outcome = apply(op);
      if (outcome != Outcome::untouched) return outcome;
      output_is_written_ = output_is_written_ || writes_output(op);
    }
    return Outcome::untouched;
  }

 private:
  Outcome apply(Op& op) {
    for (Operand& operand : op.operands) {
      if (operand.is_local() && !redirect(operand.local)) return Outcome::impossible;
    }
    if (op.blocks == copied_) return Outcome::overwritten;
    return overlap(op.blocks, copied_) ? Outcome::impossible : Outcome::untouched;
  }

  [[nodiscard]] bool meets_a_message(const Round& round, const Op& reader) const {
    return !all_output(copied_) &&
           std::any_of(round.ops.begin(), round.ops.end(), [&reader](const Op& other) {
             return &other != &reader && receives_output(other);
           });
  }

  // Turns a read of exactly the copied blocks into a read of the source. Returns false if `read` is
  // only a part of them, or comes too late.
  bool redirect(Blocks& read) const {
    if (read != copied_) return !overlap(read, copied_);
    if (output_is_written_ || meets_output_) return false;
    read = source_;
    return true;
  }

  const Blocks& copied_;
  const Blocks& source_;
  Blocks source_in_output_;  // the blocks of output that are the same memory in place
  bool output_is_written_;
  bool meets_output_ = false;  // the reads of the op at hand; at first those of sends
};

// Returns the Program without operation `nth` of round 0, or nothing if that copy is needed.
std::optional<Program> without_copy(Program program, std::size_t nth) {
  std::vector<Op>& first = program.front().ops;
  const Op copy = first[nth];
  first.erase(first.begin() + static_cast<std::ptrdiff_t>(nth));
  if (std::any_of(first.begin(), first.end(),
                  [&](const Op& other) { return overlap(other.blocks, copy.blocks); }))
    return std::nullopt;
  Redirection redirection(copy, std::any_of(first.begin(), first.end(), writes_output));
  for (std::size_t t = 1; t < program.size(); ++t) {
    const Outcome outcome = redirection.apply(program[t]);
    if (outcome == Outcome::impossible) return std::nullopt;
    if (outcome == Outcome::overwritten) return program;
  }
  return writes_output(copy) ? std::nullopt : std::optional(std::move(program));
}

bool copies_input(const Op& op) {
  if (op.what != Do::copy) return false;
  const Blocks& source = op.operands.front().local;
  return std::all_of(source.begin(), source.end(),
                     [](const Block& block) { return block.buffer == Buffer::input; });
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

}  // namespace tutti::schedule
