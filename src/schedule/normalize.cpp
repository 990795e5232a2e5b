// SPDX-License-Identifier: BSD-3-Clause
// Computes the normal form of a Program.
#include "schedule/normalize.hpp"

#include <algorithm>
#include <vector>

#include "schedule/forward.hpp"
#include "schedule/printer.hpp"

namespace tutti::schedule {
namespace {

Blocks merged(const Blocks& blocks) {
  Blocks runs;
  for (const Block& block : blocks) {
    for (int j = 0; j < block.times && block.count > 0; ++j) {
      const int first = block.first + j * block.stride;
      if (!runs.empty() && runs.back().buffer == block.buffer &&
          runs.back().first + runs.back().count == first) {
        runs.back().count += block.count;
      } else {
        runs.push_back({block.buffer, first, block.count});
      }
    }
  }
  return runs;
}

void put_sends_first(Program& program) {
  for (Round& round : program)
    std::stable_partition(round.ops.begin(), round.ops.end(),
                          [](const Op& op) { return op.what == Do::send; });
}

}  // namespace

void merge_blocks(Round& round) {
  for (Op& op : round.ops) {
    op.blocks = merged(op.blocks);
    for (Operand& operand : op.operands) operand.local = merged(operand.local);
  }
}

// Merges blocks first, so that forwarding recognises equal lists of blocks however they were
// written.
Program normalized(Program program) {
  for (Round& round : program) merge_blocks(round);
  program = forward_copies(std::move(program));
  put_sends_first(program);
  return program;
}

std::vector<Program> normalized_programs(const Generator& generator, const Shape& shape) {
  std::vector<Program> programs;
  for (int rank = 0; rank < shape.p; ++rank)
    programs.push_back(normalized(build(generator, shape, Rank{rank})));
  return programs;
}

Verdict verify_normalized(const Generator& generator, const Shape& shape, Placement placement) {
  Verdict verdict = verify(generator.operation, shape, generator.buffers(shape),
                           normalized_programs(generator, shape), placement);
  check_order(generator, verdict);
  return verdict;
}

}  // namespace tutti::schedule
