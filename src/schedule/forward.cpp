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

// Follows a copy round by round, to find out if reads of it may go to its source. In place, output
// is the memory of the input. So once anything else has been written to output, the input cannot be
// read in place of the copy any more. In a round that writes output, a read of the input would meet
// these writes where that of a copy in scratch does not. A message may arrive where a send has
// read, but not where another operation of the round reads.
class Redirection {
 public:
  Redirection(const Op& copy, bool output_is_written)
      : copied_(copy.blocks),
        source_in_output_(copy.operands.front().local),
        output_is_written_(output_is_written) {
    for (Block& block : source_in_output_) block.buffer = Buffer::output;
  }

  // Sends read the state before the round, so they come first whatever their place in the list.
  Outcome follow(const Round& round) {
    meets_output_ = !all_output(copied_) &&
                    std::any_of(round.ops.begin(), round.ops.end(), [this](const Op& op) {
                      return writes_output(op) && op.blocks != source_in_output_;
                    });
    for (const Op& op : round.ops) {
      if (op.what == Do::send && !can_redirect(op.blocks)) return Outcome::impossible;
    }
    const bool sends_meet_output = meets_output_;
    for (const Op& op : round.ops) {
      if (op.what == Do::send) continue;
      meets_output_ = sends_meet_output || meets_a_message(round, op);
      const Outcome outcome = follow(op);
      if (outcome != Outcome::untouched) return outcome;
      output_is_written_ = output_is_written_ || writes_output(op);
    }
    return Outcome::untouched;
  }

 private:
  [[nodiscard]] Outcome follow(const Op& op) const {
    for (const Operand& operand : op.operands) {
      if (operand.is_local() && !can_redirect(operand.local)) return Outcome::impossible;
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

  // Returns false if `read` is only a part of the copied blocks, or comes too late.
  [[nodiscard]] bool can_redirect(const Blocks& read) const {
    if (read != copied_) return !overlap(read, copied_);
    return !output_is_written_ && !meets_output_;
  }

  const Blocks& copied_;
  Blocks source_in_output_;  // the blocks of output that are the same memory in place
  bool output_is_written_;
  bool meets_output_ = false;  // the reads of the op at hand; at first those of sends
};

bool copies_input(const Op& op) {
  if (op.what != Do::copy) return false;
  const Blocks& source = op.operands.front().local;
  return std::all_of(source.begin(), source.end(),
                     [](const Block& block) { return block.buffer == Buffer::input; });
}

// Returns the round that overwrites a copy, if the Program does not need it: the number of rounds
// if none does. Returns nothing if the Program needs the copy. `others` are the operations that
// stay with it in the first round.
std::optional<int> overwritten_in(const Op& copy, const std::vector<const Op*>& others, int rounds,
                                  const std::function<const Round&(int)>& round) {
  if (std::any_of(others.begin(), others.end(),
                  [&](const Op* other) { return overlap(other->blocks, copy.blocks); }))
    return std::nullopt;
  Redirection redirection(copy, std::any_of(others.begin(), others.end(),
                                            [](const Op* other) { return writes_output(*other); }));
  for (int t = 1; t < rounds; ++t) {
    const Outcome outcome = redirection.follow(round(t));
    if (outcome == Outcome::impossible) return std::nullopt;
    if (outcome == Outcome::overwritten) return t;
  }
  return writes_output(copy) ? std::nullopt : std::optional(rounds);
}

void redirect(Blocks& read, const Forwarded& copy) {
  if (read == copy.copied) read = copy.source;
}

// Lets the round read the source of a copy, up to the operation that overwrites the copy.
void redirect(Round& round, const Forwarded& copy) {
  for (Op& op : round.ops)
    if (op.what == Do::send) redirect(op.blocks, copy);
  for (Op& op : round.ops) {
    if (op.what == Do::send) continue;
    for (Operand& operand : op.operands)
      if (operand.is_local()) redirect(operand.local, copy);
    if (op.blocks == copy.copied) return;
  }
}

}  // namespace

std::vector<Forwarded> forwarded_copies(const Round& first, int rounds,
                                        const std::function<const Round&(int)>& round) {
  std::vector<Forwarded> found;
  if (!std::all_of(first.ops.begin(), first.ops.end(), copies_input)) return found;
  std::vector<const Op*> stay;
  for (const Op& op : first.ops) stay.push_back(&op);
  for (std::size_t nth = stay.size(); nth-- > 0;) {
    std::vector<const Op*> others = stay;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(nth));
    const Op& copy = *stay[nth];
    const std::optional<int> overwritten = overwritten_in(copy, others, rounds, round);
    if (!overwritten) continue;
    found.push_back({nth, copy.blocks, copy.operands.front().local, *overwritten});
    stay = std::move(others);
  }
  return found;
}

Program forward_copies(Program program) {
  if (program.empty()) return program;
  const int rounds = static_cast<int>(program.size());
  const auto round = [&](int t) -> const Round& { return program[static_cast<std::size_t>(t)]; };
  const std::vector<Forwarded> copies = forwarded_copies(program.front(), rounds, round);
  for (const Forwarded& copy : copies) {
    auto& first = program.front().ops;
    first.erase(first.begin() + static_cast<std::ptrdiff_t>(copy.place));
    for (int t = 1; t < rounds && t <= copy.overwritten; ++t)
      redirect(program[static_cast<std::size_t>(t)], copy);
  }
  return program;
}

}  // namespace tutti::schedule
