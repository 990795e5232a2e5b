// SPDX-License-Identifier: BSD-3-Clause
// Moves what a program keeps in MSCCL's scratch. There all chunks have one size; here a block has
// the size of a part of the vector, by its number. So each chunk of scratch gets a block of the
// size of what it holds, and several blocks if it holds parts of several sizes at different times.
// In a complete exchange the two sides cut the vector differently, but what one rank has for
// another one has as many parts on both, of the same sizes.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "formats/check.hpp"
#include "formats/msccl_steps.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;
using schedule::Blocks;
using schedule::Buffer;
using schedule::Do;
using schedule::Op;
using schedule::Operand;
using Parts = std::vector<int>;

// The scratch of one rank.
class RankScratch {
 public:
  RankScratch(const Schedule& schedule, int rank)
      : schedule_(schedule),
        rank_(rank),
        sizes_(schedule.operation == schedule::Operation::alltoall
                   ? schedule.buffers.parts / schedule.p
                   : schedule.buffers.parts) {}

  [[nodiscard]] Parts parts_of(const Blocks& blocks) const {
    Parts parts;
    for (const Block& block : blocks)
      for (int i = 0; i < block.count; ++i) parts.push_back(part_of(block.buffer, block.first + i));
    return parts;
  }

  // Replaces blocks that are read.
  [[nodiscard]] Blocks moved(const Blocks& blocks) const {
    Blocks out;
    for (const Block& block : blocks)
      for (int i = 0; i < block.count; ++i) {
        const int number = block.first + i;
        append(out, block.buffer, block.buffer == Buffer::scratch ? place_of(number) : number);
      }
    return out;
  }

  // Replaces blocks that get these parts.
  Blocks given(const Blocks& blocks, const Parts& parts) {
    Blocks out;
    std::size_t next = 0;
    for (const Block& block : blocks)
      for (int i = 0; i < block.count; ++i, ++next) {
        const int number = block.first + i;
        if (block.buffer == Buffer::scratch && next < parts.size()) holds_[number] = parts[next];
        append(out, block.buffer, block.buffer == Buffer::scratch ? new_place_of(number) : number);
      }
    return out;
  }

  [[nodiscard]] int used() const { return used_; }

 private:
  static void append(Blocks& out, Buffer buffer, int number) {
    if (!out.empty() && out.back().buffer == buffer &&
        out.back().first + out.back().count == number) {
      ++out.back().count;
    } else {
      out.push_back({buffer, number});
    }
  }

  // Returns the number of the part, or in a complete exchange that among the parts of a rank.
  [[nodiscard]] int part_of(Buffer buffer, int number) const {
    const schedule::Buffers& b = schedule_.buffers;
    const bool own = (buffer == Buffer::input && b.input_own_part) ||
                     (buffer == Buffer::output && b.output_own_part);
    if (own) return rank_ * (b.parts / schedule_.p) + number;
    if (buffer != Buffer::scratch) return number % sizes_;
    const auto found = holds_.find(number);
    return found == holds_.end() ? number % sizes_ : found->second;
  }

  // A chunk that was never written stays where it is: the verifier will say that it is not held.
  [[nodiscard]] int place_of(int number) const {
    const auto found = places_.find({number, part_of(Buffer::scratch, number)});
    return found == places_.end() ? 0 : found->second;
  }

  // Block i has the size of part i mod sizes_.
  int new_place_of(int number) {
    const int part = part_of(Buffer::scratch, number);
    const auto [entry, is_new] = places_.try_emplace({number, part}, 0);
    if (!is_new) return entry->second;
    entry->second = part + sizes_ * blocks_of_part_[part]++;
    used_ = std::max(used_, entry->second + 1);
    return entry->second;
  }

  const Schedule& schedule_;
  int rank_;
  int sizes_;                                  // how many parts may differ in size
  std::map<int, int> holds_;                   // chunk of scratch -> the part in it
  std::map<std::pair<int, int>, int> places_;  // chunk and part -> block
  std::map<int, int> blocks_of_part_;
  int used_ = 0;
};

class Moving {
 public:
  explicit Moving(Schedule& schedule) : schedule_(schedule) {
    for (int rank = 0; rank < schedule.p; ++rank) ranks_.emplace_back(schedule, rank);
  }

  int run() {
    for (std::size_t t = 0; t < schedule_.programs.front().size(); ++t) {
      messages_.clear();
      for_each(t, [&](Op& op, int rank) {
        if (op.what == Do::send) send(op, rank);
      });
      for_each(t, [&](Op& op, int rank) {
        if (op.what != Do::send) work(op, rank);
      });
    }
    int used = 0;
    for (const RankScratch& rank : ranks_) used = std::max(used, rank.used());
    return used;
  }

 private:
  template <class F>
  void for_each(std::size_t t, F f) {
    for (int rank = 0; rank < schedule_.p; ++rank)
      for (Op& op : schedule_.programs[static_cast<std::size_t>(rank)][t].ops) f(op, rank);
  }
  RankScratch& of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  void send(Op& op, int rank) {
    messages_[{rank, op.to.first}] = of(rank).parts_of(op.blocks);
    op.blocks = of(rank).moved(op.blocks);
  }

  void work(Op& op, int rank) {
    Parts parts;
    if (op.what == Do::receive) parts = messages_[{op.to.first, rank}];
    for (Operand& operand : op.operands) {
      if (!operand.is_local()) continue;
      if (parts.empty()) parts = of(rank).parts_of(operand.local);
      operand.local = of(rank).moved(operand.local);
    }
    op.blocks = of(rank).given(op.blocks, parts);
  }

  Schedule& schedule_;
  std::vector<RankScratch> ranks_;
  std::map<std::pair<int, int>, Parts> messages_;  // of the round, by sender and receiver
};

}  // namespace

std::string fit_scratch(Schedule& schedule) {
  if (schedule.programs.front().empty()) return {};
  schedule.buffers.scratch = Moving(schedule).run();
  return problem_of_sizes(schedule);
}

}  // namespace tutti::formats
