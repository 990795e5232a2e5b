// SPDX-License-Identifier: BSD-3-Clause
// Checks what each operation promises: the value that must be in each block of output at the end.
#include <fmt/format.h>

#include <map>

#include "schedule/verifier.hpp"

namespace tutti::schedule {
namespace {

// Returns "rank 1" or "ranks 0-2, 5". A long list loses its end.
std::string named(const std::vector<int>& ranks) {
  constexpr std::size_t most_runs = 8;
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  std::size_t runs = 0;
  for (std::size_t i = 0, end; i < ranks.size(); i = end) {
    end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (runs == most_runs) return text + ", ...";
    text += runs++ == 0 ? "" : ", ";
    text += fmt::format("{}", ranks[i]);
    if (end - i > 1) text += fmt::format("{}{}", end - i > 2 ? "-" : ", ", ranks[end - 1]);
  }
  return text;
}

class Result {
 public:
  Result(Operation operation, const Shape& shape, const Buffers& buffers, Memory& memory,
         Verdict& verdict)
      : operation_(operation),
        root_(shape.root),
        own_(parts_per_rank(shape, buffers)),
        p_(shape.p),
        memory_(memory),
        verdict_(verdict),
        proven_(static_cast<std::size_t>(buffers.parts), nothing) {}

  void check() {
    for (int rank = 0; rank < p_; ++rank)
      for (int i = 0; i < memory_.blocks(rank, Buffer::output); ++i) check_block(rank, i);
  }

 private:
  void check_block(int rank, int i) {
    switch (operation_) {
      case Operation::barrier:
        return;
      case Operation::broadcast:
        return moved(rank, i, root_, i);
      case Operation::scatter:
        return moved(rank, i, root_, rank * own_ + i);
      case Operation::gather:
      case Operation::allgather:
        return moved(rank, i, i / own_, i);
      case Operation::alltoall:
        return moved(rank, i, i / own_, rank * own_ + i % own_);
      case Operation::reduce:
      case Operation::allreduce:
        return reduced(rank, i, p_, i);
      case Operation::reduce_scatter:
        return reduced(rank, i, p_, rank * own_ + i);
      case Operation::scan:
        return reduced(rank, i, rank + 1, i);
      case Operation::exscan:
        return reduced(rank, i, rank, i);
    }
  }

  Value found(int rank, int i) const { return memory_[memory_.cell(rank, Buffer::output, i)]; }

  void moved(int rank, int i, int from, int part) {
    const Value wanted = memory_.expressions().leaf(from, part);
    if (found(rank, i) != wanted)
      wrong(rank, i, fmt::format("{}, not {}", contents(found(rank, i)), contents(wanted)));
  }

  // Checks a result that combines part `part` of ranks 0 .. count-1, each once.
  void reduced(int rank, int i, int count, int part) {
    if (count == 0) return;  // the first rank of an exclusive scan has no result
    Expressions& expressions = memory_.expressions();
    const Value value = found(rank, i);
    if (value == nothing) wrong(rank, i, summands(value, count, part));
    verdict_.trees = verdict_.trees * 0x100000001b3U + expressions.fingerprint(value);
    Value& proven = proven_[static_cast<std::size_t>(part)];
    if (value == proven && count == p_) return;
    if (count == p_ && proven != nothing) verdict_.same_tree = false;
    if (expressions.leaf_count(value) != count) wrong(rank, i, summands(value, count, part));
    std::vector<bool> seen(static_cast<std::size_t>(count));
    int last = -1;
    for (const Value leaf : expressions.leaves(value)) {
      const int from = expressions.rank_of(leaf);
      if (expressions.part_of(leaf) != part || from >= count ||
          seen[static_cast<std::size_t>(from)])
        wrong(rank, i, summands(value, count, part));
      seen[static_cast<std::size_t>(from)] = true;
      if (from < last) disordered(rank, i);
      last = from;
    }
    // The canonical tree is built only while it is asked for: it takes as many sums as the
    // schedule.
    if (verdict_.canonical && value != expressions.canonical(count, part))
      verdict_.canonical = false;
    if (count == p_) proven = value;
  }

  void disordered(int rank, int i) {
    if (!verdict_.rank_order) return;
    verdict_.rank_order = false;
    verdict_.disorder_rank = rank;
    verdict_.disorder = fmt::format("output[{}] of rank {} is {}", i, rank,
                                    memory_.expressions().to_text(found(rank, i)));
  }

  // Returns what a block has that is moved and not combined.
  std::string contents(Value value) const {
    const Expressions& expressions = memory_.expressions();
    if (value == nothing) return "nothing";
    if (expressions.terms_of(value)) return "the sum " + expressions.to_text(value);
    const int from = expressions.rank_of(value);
    if (proven_.size() == 1) return fmt::format("the input of rank {}", from);
    return fmt::format("part {} of rank {}", expressions.part_of(value), from);
  }

  // Returns which contributions a sum has, and which are missing of those of ranks 0 to count-1.
  std::string summands(Value value, int count, int part) const {
    const Expressions& expressions = memory_.expressions();
    const std::int64_t leaves = value == nothing ? 0 : expressions.leaf_count(value);
    if (leaves > std::int64_t{4} * count + 64)
      return fmt::format("{} contributions, not one of each of ranks 0-{}", leaves, count - 1);
    std::map<int, int> times;
    if (value != nothing) {
      for (const Value leaf : expressions.leaves(value)) {
        if (expressions.part_of(leaf) != part)
          return fmt::format("{}, where part {} is wanted", contents(leaf), part);
        ++times[expressions.rank_of(leaf)];
      }
    }
    std::vector<int> held, missing, repeated, foreign;
    for (const auto& [rank, number] : times) {
      held.push_back(rank);
      if (number > 1) repeated.push_back(rank);
      if (rank >= count) foreign.push_back(rank);
    }
    for (int rank = 0; rank < count; ++rank)
      if (times.count(rank) == 0) missing.push_back(rank);
    std::string text = held.empty()
                           ? "nothing"
                           : fmt::format("the contribution{} of {}{}", held.size() == 1 ? "" : "s",
                                         named(held), missing.empty() ? "" : " only");
    if (!repeated.empty()) text += "; more than once: " + named(repeated);
    if (!foreign.empty()) text += "; not wanted: " + named(foreign);
    if (!missing.empty()) text += "; missing: " + named(missing);
    return text;
  }

  [[noreturn]] void wrong(int rank, int i, const std::string& holds) const {
    throw Violation{fmt::format("result: output[{}] of rank {} holds {}", i, rank, holds), 0, rank};
  }

  Operation operation_;
  int root_;
  int own_;
  int p_;
  Memory& memory_;
  Verdict& verdict_;
  std::vector<Value> proven_;  // per part, a value already found to be right
};

}  // namespace

void check_result(Operation operation, const Shape& shape, const Buffers& buffers, Memory& memory,
                  Verdict& verdict) {
  Result(operation, shape, buffers, memory, verdict).check();
}

}  // namespace tutti::schedule
