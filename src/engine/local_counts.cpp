// SPDX-License-Identifier: BSD-3-Clause
// Reads a Program to see which rank handles whose blocks.
#include "engine/local_counts.hpp"

#include <algorithm>

#include "schedule/normalize.hpp"
#include "schedule/printer.hpp"

namespace tutti::engine {
namespace {

using namespace schedule;

bool is_one_block(const Blocks& blocks, int number) {
  return blocks.size() == 1 && blocks[0].count == 1 && blocks[0].times == 1 &&
         blocks[0].first == number;
}

// Returns true if the op moves one whole block. Sends must read the input. Receives write the
// output, or scratch from which a later copy goes to the output.
bool handles_one_block(const Op& op, bool has_own_part, int rank) {
  switch (op.what) {
    case Do::send:
      return op.to.count == 1 && is_one_block(op.blocks, op.to.first) &&
             op.blocks[0].buffer == Buffer::input;
    case Do::receive:
      return is_one_block(op.blocks, op.to.first) && op.blocks[0].buffer != Buffer::input;
    case Do::copy: {
      const Blocks& from = op.operands[0].local;
      if (from.size() != 1 || op.blocks.size() != 1) return false;
      if (has_own_part) return from[0].buffer == Buffer::input;
      const bool own = from[0].buffer == Buffer::input && is_one_block(from, rank);
      const bool waited =
          from[0].buffer == Buffer::scratch && op.blocks[0].buffer == Buffer::output;
      const bool same_place =
          from[0].first == op.blocks[0].first && from[0].count == op.blocks[0].count;
      return same_place && from[0].times == 1 && (own || waited);
    }
    default:
      return false;
  }
}

}  // namespace

bool serves_local_counts(const Generator& generator, const Shape& shape, int rank) {
  const bool rooted = generator.operation != Operation::alltoall;
  const Program program = normalized(build(generator, shape, Rank{rooted ? shape.root : rank}));
  return std::all_of(program.begin(), program.end(), [&](const Round& round) {
    return std::all_of(round.ops.begin(), round.ops.end(),
                       [&](const Op& op) { return handles_one_block(op, rooted, rank); });
  });
}

}  // namespace tutti::engine
