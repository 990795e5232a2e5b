// SPDX-License-Identifier: BSD-3-Clause
// Counts the work of each rank in each round, and then over ranks and rounds.
#include "schedule/host_counts.hpp"

#include <algorithm>
#include <vector>

#include "schedule/block_count.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"

namespace tutti::schedule {
namespace {

// Adds the work of one operation. A message without blocks is taken like any other.
void add(Work& work, const Op& op) {
  const std::int64_t size = block_count(op.blocks);
  switch (op.what) {
    case Do::send:
      work.written += size;
      break;
    case Do::receive:
      work.read += size;
      ++work.taken;
      break;
    case Do::receive_combine:
    case Do::combine:
      work.combined += size * (static_cast<std::int64_t>(op.operands.size()) - 1);
      work.taken += std::count_if(op.operands.begin(), op.operands.end(),
                                  [](const Operand& operand) { return !operand.is_local(); });
      break;
    case Do::copy:
      work.copied += size;
      break;
  }
}

Work most(const Work& a, const Work& b) {
  return {std::max(a.written, b.written), std::max(a.read, b.read),
          std::max(a.combined, b.combined), std::max(a.copied, b.copied),
          std::max(a.taken, b.taken)};
}

Work sum(const Work& a, const Work& b) {
  return {a.written + b.written, a.read + b.read, a.combined + b.combined, a.copied + b.copied,
          a.taken + b.taken};
}

}  // namespace

HostCounts host_counts(const Generator& generator, const Shape& shape) {
  std::vector<Work> most_of_round(static_cast<std::size_t>(generator.rounds(shape)));
  HostCounts counts;
  for (int rank = 0; rank < shape.p; ++rank) {
    const Program program = normalized(build(generator, shape, Rank{rank}));
    for (std::size_t t = 0; t < program.size(); ++t) {
      Work work;
      for (const Op& op : program[t].ops) add(work, op);
      most_of_round[t] = most(most_of_round[t], work);
      counts.total = sum(counts.total, work);
      if (work.taken > 0) ++counts.waits;
    }
  }
  for (const Work& work : most_of_round) {
    counts.path = sum(counts.path, work);
    if (work.taken > 0) ++counts.rounds;
  }
  return counts;
}

}  // namespace tutti::schedule
