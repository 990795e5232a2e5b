// SPDX-License-Identifier: BSD-3-Clause
// Counts the work of each rank in each round, and then over ranks and rounds.
#include "schedule/host_counts.hpp"

#include <algorithm>

#include "schedule/block_count.hpp"
#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"

namespace tutti::schedule {
namespace {

std::int64_t receivers(const Ranks& ranks) {
  std::int64_t count = ranks.count;
  if (ranks.except >= 0) {
    for (Int i = 0; i < ranks.count; ++i) {
      if (ranks.first + i * ranks.stride == ranks.except) --count;
    }
  }
  return count;
}

// Adds the work of one operation. A message without blocks is taken like any other.
void add(Work& work, const Op& op) {
  const std::int64_t size = block_count(op.blocks);
  switch (op.what) {
    case Do::send:
      work.written += size;
      work.posted += receivers(op.to);
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
  return {std::max(a.written, b.written),   std::max(a.read, b.read),
          std::max(a.combined, b.combined), std::max(a.copied, b.copied),
          std::max(a.posted, b.posted),     std::max(a.taken, b.taken)};
}

void add(Work& sum, const Work& work, std::int64_t times) {
  sum.written += times * work.written;
  sum.read += times * work.read;
  sum.combined += times * work.combined;
  sum.copied += times * work.copied;
  sum.posted += times * work.posted;
  sum.taken += times * work.taken;
}

}  // namespace

std::vector<Work> work_of_rank(const Generator& generator, const Shape& shape, Rank rank) {
  const Program program = normalized(build(generator, shape, rank));
  std::vector<Work> rounds(program.size());
  for (std::size_t t = 0; t < program.size(); ++t) {
    for (const Op& op : program[t].ops) add(rounds[t], op);
  }
  return rounds;
}

HostCounts host_counts(const Generator& generator, const Shape& shape) {
  const int built = generator.alike ? 1 : shape.p;
  const int stands_for = shape.p / built;
  std::vector<Work> most_of_round(static_cast<std::size_t>(generator.rounds(shape)));
  HostCounts counts;
  for (int rank = 0; rank < built; ++rank) {
    const std::vector<Work> rounds = work_of_rank(generator, shape, Rank{rank});
    for (std::size_t t = 0; t < rounds.size(); ++t) {
      most_of_round[t] = most(most_of_round[t], rounds[t]);
      add(counts.total, rounds[t], stands_for);
      if (rounds[t].taken > 0) counts.waits += stands_for;
    }
  }
  for (const Work& work : most_of_round) {
    add(counts.path, work, 1);
    if (work.taken > 0) ++counts.rounds;
  }
  return counts;
}

}  // namespace tutti::schedule
