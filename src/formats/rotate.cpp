// SPDX-License-Identifier: BSD-3-Clause
// Replaces ranks in operations.
#include "formats/rotate.hpp"

namespace tutti::formats {

using schedule::Do;
using schedule::Op;
using schedule::Operand;
using schedule::Rank;

namespace {

// A set of ranks may no longer be one after it has been turned, so it becomes a send to each.
template <class Turned>
void append(schedule::Round& out, const schedule::Round& round, Turned turned) {
  for (const Op& op : round.ops) {
    if (op.what == Do::send) {
      for (int i = 0; i < op.to.count; ++i) {
        const int rank = op.to.first + i * op.to.stride;
        if (rank != op.to.except) out.send(op.blocks, Rank{turned(rank)});
      }
      continue;
    }
    Op& copy = out.ops.emplace_back(op);
    if (op.what == Do::receive) copy.to = {turned(op.to.first)};
    for (Operand& operand : copy.operands)
      if (!operand.is_local()) operand.from = Rank{turned(num(operand.from))};
  }
}

}  // namespace

void append_rotated(schedule::Round& out, const schedule::Round& round, int turn, int p) {
  if (schedule::mod(turn, p) != 0)
    return append(out, round, [&](int rank) { return schedule::mod(rank + turn, p); });
  out.ops.insert(out.ops.end(), round.ops.begin(), round.ops.end());
}

schedule::Round with_single_sends(const schedule::Round& round) {
  schedule::Round single;
  append(single, round, [](int rank) { return rank; });
  return single;
}

}  // namespace tutti::formats
