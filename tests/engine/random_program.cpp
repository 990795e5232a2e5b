// SPDX-License-Identifier: BSD-3-Clause
// Draws Programs round by round. Each rank remembers which blocks it holds.
#include "random_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "schedule/printer.hpp"

namespace tutti::engine::test {
namespace {

using namespace schedule;

class Draw {
 public:
  explicit Draw(std::mt19937& random) : random_(random) {}

  RandomCase run() {
    c_.operation = static_cast<Operation>(below(11));
    c_.shape.p = 1 + below(below(3) == 0 ? 9 : 5);
    c_.shape.root = below(c_.shape.p);
    c_.placement = below(2) == 0 ? Placement::separate : Placement::in_place;
    draw_buffers();
    const Memory memory(c_.operation, c_.shape, c_.buffers, c_.placement);
    memory_ = &memory;
    c_.programs.resize(at(c_.shape.p));
    held_.resize(at(memory.cells()));
    for (int cell = 0; cell < memory.cells(); ++cell) held_[at(cell)] = memory[cell] != nothing;
    const int rounds = 1 + below(4);
    if (below(4) != 0) first_copies();
    for (int t = 0; t < rounds; ++t) draw_round();
    if (below(4) != 0) last_copies();
    return std::move(c_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  void draw_buffers() {
    const int p = c_.shape.p;
    Buffers& b = c_.buffers;
    if (c_.operation == Operation::barrier) return;
    const bool by_rank = c_.operation == Operation::scatter || c_.operation == Operation::gather ||
                         c_.operation == Operation::allgather ||
                         c_.operation == Operation::reduce_scatter ||
                         c_.operation == Operation::alltoall;
    b.parts = by_rank ? p * (1 + below(2)) : 1 + below(3);
    const int own = b.parts / p;
    b.input_own_part = c_.operation == Operation::gather || c_.operation == Operation::allgather;
    b.output_own_part =
        c_.operation == Operation::scatter || c_.operation == Operation::reduce_scatter;
    b.input = c_.operation == Operation::broadcast ? 0 : b.input_own_part ? own : b.parts;
    b.output = b.output_own_part ? own : b.parts;
    b.scratch = below(2 * b.parts + 3);
  }

  // Returns blocks of the rank, those of a buffer and a size where these are given.
  std::vector<Block> blocks(int rank, bool held, bool writable, int part = -1) {
    std::vector<Block> found;
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      if (writable && buffer == Buffer::input) continue;
      for (int i = 0; i < memory_->blocks(rank, buffer); ++i) {
        if (held && !held_[at(memory_->cell(rank, buffer, i))] && below(200) != 0) continue;
        if (part >= 0 && size_of(rank, buffer, i) != part && below(200) != 0) continue;
        found.push_back({buffer, i});
      }
    }
    return found;
  }
  int size_of(int rank, Buffer buffer, int i) const {
    const int part = memory_->part(rank, buffer, i);
    return c_.operation == Operation::alltoall ? part % (c_.buffers.parts / c_.shape.p) : part;
  }

  // Draws one block for each size of the list; fewer where there is none.
  Blocks draw(int rank, const std::vector<int>& parts, bool writable) {
    Blocks drawn;
    for (const int part : parts) {
      std::vector<Block> from = blocks(rank, !writable, writable, part);
      // Half of the time neighbours follow each other, so that they become one span.
      if (!drawn.empty() && below(2) == 0) {
        Block next = drawn.back();
        ++next.first;
        if (std::find(from.begin(), from.end(), next) != from.end()) from = {next};
      }
      if (writable && below(50) != 0)
        std::erase_if(from, [&](const Block& b) {
          return std::find(drawn.begin(), drawn.end(), b) != drawn.end() || is_busy(rank, b);
        });
      if (from.empty()) break;
      drawn.push_back(from[at(below(static_cast<int>(from.size())))]);
    }
    return drawn;
  }
  bool is_busy(int rank, const Block& b) const {
    return busy_[at(memory_->cell(rank, b.buffer, b.first))];
  }
  std::vector<int> parts_of(int rank, const Blocks& blocks) const {
    std::vector<int> parts;
    for (const Block& b : blocks) parts.push_back(size_of(rank, b.buffer, b.first));
    return parts;
  }
  std::vector<int> some_parts(int rank) {
    const std::vector<Block> from = blocks(rank, true, false);
    std::vector<int> parts;
    for (int n = below(6) == 0 ? 0 : 1 + below(3); n > 0 && !from.empty(); --n) {
      const Block& b = from[at(below(static_cast<int>(from.size())))];
      parts.push_back(size_of(rank, b.buffer, b.first));
    }
    return parts;
  }

  Round& now(int rank) { return c_.programs[at(rank)].back(); }
  void begin_round() {
    for (Program& program : c_.programs) program.emplace_back();
    busy_.assign(held_.size(), false);
    arrives_ = held_;
  }
  void end_round() {
    held_ = arrives_;
    for (Program& program : c_.programs)
      if (below(3) == 0)
        std::shuffle(program.back().ops.begin(), program.back().ops.end(), random_);
  }
  void mark(int rank, const Blocks& blocks, bool message) {
    for (const Block& b : blocks) {
      const auto cell = at(memory_->cell(rank, b.buffer, b.first));
      arrives_[cell] = true;
      if (message || below(4) == 0) busy_[cell] = true;
    }
  }

  void first_copies() {
    begin_round();
    for (int rank = 0; rank < c_.shape.p; ++rank)
      for (const Block& b : blocks(rank, false, true))
        if (below(3) != 0) copy_to(rank, {b});
    end_round();
  }
  void last_copies() {
    begin_round();
    for (int rank = 0; rank < c_.shape.p; ++rank)
      for (int i = 0; i < memory_->blocks(rank, Buffer::output); ++i)
        if (below(2) == 0) copy_to(rank, {{Buffer::output, i}});
    end_round();
  }
  void copy_to(int rank, const Blocks& to) {
    const Blocks from = draw(rank, parts_of(rank, to), false);
    if (from.size() != to.size()) return;
    now(rank).copy(to, from);
    mark(rank, to, false);
  }

  void draw_round() {
    begin_round();
    if (c_.shape.p > 1) {
      for (int n = below(2 * c_.shape.p); n > 0; --n) message();
      if (below(6) == 0) to_all();
      // A rank sends what it receives into, block for block.
      if (below(3) == 0) exchange();
      if (c_.shape.p > 3 && below(4) == 0) crossing();
    }
    for (int n = below(c_.shape.p + 1); n > 0; --n) local_work(below(c_.shape.p));
    end_round();
  }

  void message() {
    const int to = below(c_.shape.p);
    std::vector<int> parts;
    std::vector<Operand> operands;
    const int operand_count = below(3) == 0 ? 2 + below(3) : 1;
    int from = (to + 1 + below(c_.shape.p - 1)) % c_.shape.p;
    parts = some_parts(from);
    const Blocks result = draw(to, parts, true);
    if (result.size() != parts.size()) return;
    const int remote_at = below(operand_count);
    for (int i = 0; i < operand_count; ++i) {
      const bool is_remote = i == remote_at || below(4) == 0;
      const bool over = !is_remote && below(4) == 0;
      const Blocks read = over ? result : draw(is_remote ? from : to, parts, false);
      if (read.size() != parts.size()) break;
      if (is_remote) {
        now(from).send(read, Rank{to});
        operands.push_back(remote(Rank{from}));
        from = (to + 1 + below(c_.shape.p - 1)) % c_.shape.p;
      } else {
        operands.push_back(local(read));
      }
    }
    if (operands.empty()) return;
    mark(to, result, true);
    if (operands.size() == 1 && !operands[0].is_local()) {
      now(to).receive(result, operands[0].from);
    } else {
      now(to).receive_combine(result, operands);
    }
  }

  void to_all() {
    const int from = below(c_.shape.p);
    const std::vector<int> parts = some_parts(from);
    const Blocks sent = draw(from, parts, false);
    now(from).send(sent, Ranks{0, c_.shape.p, 1, from});
    for (int to = 0; to < c_.shape.p; ++to) {
      if (to == from) continue;
      const Blocks result = draw(to, parts_of(from, sent), true);
      now(to).receive(result, Rank{from});
      mark(to, result, true);
    }
  }

  void exchange() {
    const int a = below(c_.shape.p), b = (a + 1 + below(c_.shape.p - 1)) % c_.shape.p;
    const Blocks mine = draw(a, some_parts(a), true);
    const Blocks theirs = draw(b, parts_of(a, mine), true);
    if (mine.size() != theirs.size()) return;
    now(a).send(mine, Rank{b});
    now(b).send(theirs, Rank{a});
    if (below(2) == 0) {
      now(a).receive(mine, Rank{b});
      now(b).receive(theirs, Rank{a});
    } else {
      now(a).receive_combine(mine, {local(mine), remote(Rank{b})});
      now(b).receive_combine(theirs, {remote(Rank{a}), local(theirs)});
    }
    mark(a, mine, true);
    mark(b, theirs, true);
  }

  // Two ranks send to two others, which combine the messages in any order.
  void crossing() {
    std::vector<int> ranks(at(c_.shape.p));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::shuffle(ranks.begin(), ranks.end(), random_);
    const std::vector<int> parts = some_parts(ranks[0]);
    for (const int to : {ranks[2], ranks[3]}) {
      const Blocks result = draw(to, parts, true);
      const Blocks first = draw(ranks[0], parts, false), second = draw(ranks[1], parts, false);
      if (std::min({result.size(), first.size(), second.size()}) != parts.size()) return;
      now(ranks[0]).send(first, Rank{to});
      now(ranks[1]).send(second, Rank{to});
      std::vector<Operand> operands{remote(Rank{ranks[0]}), remote(Rank{ranks[1]})};
      if (below(2) == 0) std::swap(operands[0], operands[1]);
      now(to).receive_combine(result, operands);
      mark(to, result, true);
    }
  }

  void local_work(int rank) {
    const std::vector<int> parts = some_parts(rank);
    const Blocks result = draw(rank, parts, true);
    if (result.empty() || result.size() != parts.size()) return;
    if (below(2) == 0) return copy_to(rank, result);
    std::vector<Operand> operands;
    for (int n = 1 + below(3); n > 0; --n) {
      const Blocks read = below(4) == 0 ? result : draw(rank, parts, false);
      if (read.size() != parts.size()) return;
      operands.push_back(local(read));
    }
    now(rank).combine(result, operands);
    mark(rank, result, false);
  }

  std::mt19937& random_;
  RandomCase c_;
  const Memory* memory_ = nullptr;
  std::vector<bool> held_, arrives_, busy_;
};

}  // namespace

RandomCase random_case(std::mt19937& random) {
  return Draw(random).run();
}

std::string to_text(const RandomCase& drawn) {
  const Buffers& b = drawn.buffers;
  std::string text = fmt::format("{} p={} root={} input={} output={} scratch={} parts={}{}\n",
                                 schedule::to_text(drawn.operation), drawn.shape.p,
                                 drawn.shape.root, b.input, b.output, b.scratch, b.parts,
                                 drawn.placement == Placement::in_place ? " in place" : "");
  for (std::size_t rank = 0; rank < drawn.programs.size(); ++rank)
    text += fmt::format("rank {}\n{}", rank, schedule::to_text(drawn.programs[rank]));
  return text;
}

}  // namespace tutti::engine::test
