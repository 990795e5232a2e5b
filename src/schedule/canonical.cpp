// SPDX-License-Identifier: BSD-3-Clause
// Follows one result from the last round to the inputs. Before each round there is a list of cells
// that take part in it. An operation replaces a cell that it writes by the cells that it reads.
#include "schedule/canonical.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "schedule/expression.hpp"

namespace tutti::schedule {
namespace {

struct Cell {
  int rank;
  Buffer buffer;
  std::int64_t index;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

// Returns the last run that begins at or before an index, if the runs ascend; else the first run.
std::int64_t first_run_to_try(const Block& b, std::int64_t index) {
  if (b.stride <= 0 || b.times <= 0 || index <= b.first) return 0;
  return std::min<std::int64_t>((index - b.first) / b.stride, b.times - 1);
}

// Returns the place of a block index in the runs of one block; -1 if it is not there.
std::int64_t place_in_runs(const Block& b, std::int64_t index) {
  for (std::int64_t run = first_run_to_try(b, index); run < b.times; ++run) {
    const std::int64_t i = index - b.first - run * b.stride;
    if (i >= 0 && i < b.count) return run * b.count + i;
    if (b.stride > 0) break;  // the runs that follow begin above the index
  }
  return -1;
}

// Returns the place of a block index in a list of blocks; -1 if it is not there.
std::int64_t place_of(const Blocks& blocks, Buffer buffer, std::int64_t index) {
  std::int64_t before = 0;
  for (const Block& b : blocks) {
    const std::int64_t place = b.buffer == buffer ? place_in_runs(b, index) : -1;
    if (place >= 0) return before + place;
    before += std::int64_t{b.count} * b.times;
  }
  return -1;
}

// Returns the cell of a rank at a place of a list of blocks.
Cell cell_at(const Blocks& blocks, int rank, std::int64_t place) {
  for (const Block& b : blocks) {
    const std::int64_t size = std::int64_t{b.count} * b.times;
    if (place < size)
      return {rank, b.buffer, b.first + place / b.count * b.stride + place % b.count};
    place -= size;
  }
  return {-1, Buffer::input, 0};
}

bool goes_to(const Op& op, int rank) {
  if (op.what != Do::send || rank == op.to.except) return false;
  for (int i = 0; i < op.to.count; ++i)
    if (op.to.first + i * op.to.stride == rank) return true;
  return false;
}

class Trace {
 public:
  Trace(const Generator& generator, const Shape& shape)
      : generator_(generator), shape_(shape), height_(ceil_log2(shape.p)) {}

  // Returns false if the tree of this cell after the last round is not the canonical one.
  bool may_be_canonical(const Cell& result) {
    (void)demand(now_, result, 0);
    for (int t = generator_.rounds(shape_) - 1; t >= 0 && !is_decided(); --t) go_back(t);
    // Only the verifier says what is wrong with a schedule.
    if (is_wrong_) return true;
    if (too_high_) return false;
    Expressions expressions(shape_.p, 1);
    for (const auto& [cell, node] : now_) {
      if (cell.buffer != Buffer::input) return true;
      nodes_[at(node)].value = expressions.leaf(cell.rank, 0);
    }
    for (auto node = resolved_.rbegin(); node != resolved_.rend(); ++node) {
      Node& sum = nodes_[at(*node)];
      for (const int term : sum.terms) {
        const Value value = nodes_[at(term)].value;
        sum.value = sum.value == nothing ? value : expressions.sum(sum.value, value);
      }
    }
    return nodes_.front().value == expressions.canonical(shape_.p, 0);
  }

 private:
  // A value that takes part in the result. It lies below at most `depth` sums.
  struct Node {
    int depth = 0;
    std::vector<int> terms;
    Value value = nothing;
  };
  using Demands = std::map<Cell, int>;

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  [[nodiscard]] bool is_decided() const { return too_high_ || is_wrong_; }

  int demand(Demands& demands, const Cell& cell, int depth) {
    is_wrong_ = is_wrong_ || cell.rank < 0;
    const auto [found, added] = demands.try_emplace(cell, static_cast<int>(nodes_.size()));
    if (added) nodes_.emplace_back();
    Node& node = nodes_[at(found->second)];
    node.depth = std::max(node.depth, depth);
    return found->second;
  }

  // Replaces what is known of the state after round t by what the round makes it from. Messages
  // come from the state before the round.
  void go_back(int t) {
    Demands before;
    while (!now_.empty() && !is_decided()) {
      const int rank = now_.begin()->first.rank;
      Demands mine;
      while (!now_.empty() && now_.begin()->first.rank == rank)
        mine.insert(now_.extract(now_.begin()));
      const Round round = emitted(rank, t);
      for (auto op = round.ops.rbegin(); op != round.ops.rend() && !is_decided(); ++op)
        undo(*op, rank, t, mine, before);
      for (const auto& [cell, node] : mine) keep(before, cell, node);
    }
    now_ = std::move(before);
  }

  // A cell that a message has asked for, too, is one value.
  void keep(Demands& before, const Cell& cell, int node) {
    const auto [found, added] = before.try_emplace(cell, node);
    if (added) return;
    Node& same = nodes_[at(node)];
    same.terms = {found->second};
    resolved_.push_back(node);
    nodes_[at(found->second)].depth = std::max(nodes_[at(found->second)].depth, same.depth);
  }

  void undo(const Op& op, int rank, int t, Demands& mine, Demands& before) {
    if (op.what == Do::send) return;
    std::vector<std::pair<int, std::int64_t>> written;  // node and place in the blocks
    for (auto wanted = mine.begin(); wanted != mine.end();) {
      const std::int64_t place = place_of(op.blocks, wanted->first.buffer, wanted->first.index);
      if (place >= 0) written.emplace_back(wanted->second, place);
      wanted = place >= 0 ? mine.erase(wanted) : std::next(wanted);
    }
    for (const auto& [node, place] : written) {
      resolved_.push_back(node);
      const std::vector<Operand> operands =
          op.what == Do::receive ? std::vector{remote(Rank{op.to.first})} : op.operands;
      const int terms = static_cast<int>(operands.size());
      for (int i = 0; i < terms && !is_decided(); ++i) {
        const int depth = nodes_[at(node)].depth + std::min(terms - 1, terms - i);
        too_high_ = depth > height_;
        if (too_high_) return;
        const Operand& operand = operands[at(i)];
        const int term = operand.is_local()
                             ? demand(mine, cell_at(operand.local, rank, place), depth)
                             : demand(before, sent(num(operand.from), rank, t, place), depth);
        nodes_[at(node)].terms.push_back(term);
      }
    }
  }

  Cell sent(int from, int to, int t, std::int64_t place) const {
    for (const Op& op : emitted(from, t).ops)
      if (goes_to(op, to)) return cell_at(op.blocks, from, place);
    return {-1, Buffer::output, 0};
  }

  Round emitted(int rank, int t) const {
    Round round;
    generator_.emit(round, shape_, Rank{rank}, t);
    return round;
  }

  const Generator& generator_;
  const Shape& shape_;
  int height_;
  bool too_high_ = false;  // a leaf lies deeper than any of the canonical tree
  bool is_wrong_ = false;  // a cell comes from nowhere
  Demands now_;
  std::vector<Node> nodes_;
  std::vector<int> resolved_;  // a node comes after all that it is a term of
};

}  // namespace

bool may_be_canonical(const Generator& generator, const Shape& shape) {
  const int rank = has_root(generator.operation) ? shape.root : shape.p - 1;
  const std::int64_t last = generator.buffers(shape).output - 1;
  return Trace(generator, shape)
      .may_be_canonical({rank, Buffer::output, std::max<std::int64_t>(0, last)});
}

}  // namespace tutti::schedule
