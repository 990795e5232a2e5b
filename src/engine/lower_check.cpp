// SPDX-License-Identifier: BSD-3-Clause
// Compares the blocks of lowered operations.
#include "engine/lower_check.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tutti::engine {
namespace {

using schedule::Buffer;

// Returns the number of the span's first block in the whole vector. In place, a buffer that holds
// only this rank's own part is that part of the vector.
int in_vector(const LoweredPlan& plan, const BlockSpan& span) {
  const bool own = (span.buffer == Buffer::input && plan.buffers.input_own_part) ||
                   (span.buffer == Buffer::output && plan.buffers.output_own_part);
  return span.first + (own ? plan.own_first : 0);
}

bool same_memory(Buffer a, Buffer b) {
  return a == b || (a != Buffer::scratch && b != Buffer::scratch);
}

bool overlap(const LoweredPlan& plan, const BlockSpan& a, const BlockSpan& b) {
  const int first_a = in_vector(plan, a), first_b = in_vector(plan, b);
  return same_memory(a.buffer, b.buffer) && first_a < first_b + b.count &&
         first_b < first_a + a.count;
}

bool overlap(const LoweredPlan& plan, Slice a, Slice b) {
  for (std::uint32_t i = a.begin; i < a.end; ++i) {
    for (std::uint32_t j = b.begin; j < b.end; ++j) {
      if (overlap(plan, plan.spans[i], plan.spans[j])) return true;
    }
  }
  return false;
}

bool identical(const LoweredPlan& plan, Slice a, Slice b) {
  const auto same = [&plan](const BlockSpan& x, const BlockSpan& y) {
    return same_memory(x.buffer, y.buffer) && in_vector(plan, x) == in_vector(plan, y) &&
           x.count == y.count;
  };
  const auto spans = plan.spans.begin();
  return std::equal(spans + a.begin, spans + a.end, spans + b.begin, spans + b.end, same);
}

}  // namespace

bool must_wait_for(const LoweredPlan& plan, const MicroOp& writer, const MicroOp& send) {
  if (!overlap(plan, writer.spans, send.spans)) return false;
  if (identical(plan, writer.spans, send.spans)) return true;
  const bool local_work = writer.what == schedule::Do::copy || writer.what == schedule::Do::combine;
  if (local_work) return true;  // local work waits for the whole send
  base::fail(base::Status::no_such_plan,
             "a round receives into blocks that it partly sends: the schedule has a hazard");
}

bool is_apart(const LoweredPlan& plan, const MicroOp& copy, const MicroOp& later) {
  if (overlap(plan, later.spans, copy.spans)) return false;
  if (overlap(plan, later.spans, plan.operands[copy.operands.begin].spans)) return false;
  for (std::uint32_t i = later.operands.begin; i < later.operands.end; ++i) {
    if (overlap(plan, plan.operands[i].spans, copy.spans)) return false;
  }
  return true;
}

bool needs_staging(const LoweredPlan& plan, const MicroOp& op) {
  if (op.what != schedule::Do::combine && op.what != schedule::Do::receive_combine) return false;
  for (std::uint32_t i = op.operands.begin + 2; i < op.operands.end; ++i) {
    const LoweredOperand& operand = plan.operands[i];
    if (operand.channel == nullptr && overlap(plan, operand.spans, op.spans)) return true;
  }
  return false;
}

}  // namespace tutti::engine
