// SPDX-License-Identifier: BSD-3-Clause
// Checks what each operation promises: the value that must be in each block of output at the end.
#include <fmt/format.h>

#include "schedule/verifier.hpp"

namespace tutti::schedule {
namespace {

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
    if (found(rank, i) != wanted) wrong(rank, i, memory_.expressions().to_text(wanted));
  }

  // Checks a result that combines part `part` of ranks 0 .. count-1, each once.
  void reduced(int rank, int i, int count, int part) {
    if (count == 0) return;  // the first rank of an exclusive scan has no result
    Expressions& expressions = memory_.expressions();
    const Value value = found(rank, i);
    if (value == nothing) wrong(rank, i, fmt::format("the combination of ranks 0..{}", count - 1));
    verdict_.trees = verdict_.trees * 0x100000001b3U + expressions.fingerprint(value);
    Value& proven = proven_[static_cast<std::size_t>(part)];
    if (value == proven && count == p_) return;
    if (count == p_ && proven != nothing) verdict_.same_tree = false;
    if (expressions.leaf_count(value) != count)
      wrong(rank, i, fmt::format("each of ranks 0..{} once", count - 1));
    std::vector<bool> seen(static_cast<std::size_t>(count));
    int last = -1;
    for (const Value leaf : expressions.leaves(value)) {
      const int from = expressions.rank_of(leaf);
      if (expressions.part_of(leaf) != part || from >= count ||
          seen[static_cast<std::size_t>(from)])
        wrong(rank, i, fmt::format("each of ranks 0..{} once", count - 1));
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

  [[noreturn]] void wrong(int rank, int i, const std::string& wanted) const {
    throw Violation{fmt::format("result: output[{}] of rank {} is {}, not {}", i, rank,
                                memory_.expressions().to_text(found(rank, i)), wanted),
                    0, rank};
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
