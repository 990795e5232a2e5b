// SPDX-License-Identifier: BSD-3-Clause
// Finds out whether one shorter message tells the size of a vector, or only of a block.
#include "engine/shorter.hpp"

#include <algorithm>
#include <utility>

namespace tutti::engine {

using schedule::Do;

namespace {

bool same_blocks(const LoweredPlan& plan, Slice a, Slice b) {
  return a.size() == 1 && b.size() == 1 &&
         plan.spans[a.begin].buffer == plan.spans[b.begin].buffer &&
         plan.spans[a.begin].first == plan.spans[b.begin].first &&
         plan.spans[a.begin].count == plan.spans[b.begin].count;
}

bool has_part_of(const LoweredPlan& plan, Slice blocks, const BlockSpan& block) {
  return std::any_of(plan.spans.begin() + blocks.begin, plan.spans.begin() + blocks.end,
                     [&](const BlockSpan& span) {
                       return span.buffer == block.buffer && span.first <= block.first &&
                              block.first < span.first + span.count;
                     });
}

bool copies_to_the_same_place(const LoweredPlan& plan, const MicroOp& op) {
  const Slice from = plan.operands[op.operands.begin].spans;
  return from.size() == 1 && op.spans.size() == 1 &&
         plan.spans[from.begin].buffer == schedule::Buffer::scratch &&
         plan.spans[op.spans.begin].buffer == schedule::Buffer::output &&
         plan.spans[from.begin].first == plan.spans[op.spans.begin].first;
}

void tell(const RunState& run, int block, std::int64_t elements) {
  const TellShorter& shorter = run.in_flight->tell_shorter();
  shorter.tell(shorter.user, run.memory.output().base, block,
               elements * static_cast<std::int64_t>(run.memory.element_bytes()));
}

// All ranks cut the vector evenly, so the size of one message tells that of the whole vector, if
// the vector is not cut at all or each rank has one block. Earlier ops have used the size that this
// rank gave, so there must be none.
bool shorten_vector(RunState& run, std::uint32_t index, std::int64_t elements) {
  const Slice ops = run.plan->rounds[run.round];
  const bool is_first = index == ops.begin && ops.begin == 0;
  const bool has_moved =
      run.entered && std::any_of(run.states.begin() + ops.begin, run.states.begin() + ops.end,
                                 [](const OpState& state) { return state.done > 0; });
  const auto p = static_cast<std::int64_t>(run.identity.endpoints.size());
  const std::int64_t blocks = blocks_of(run, index);
  const std::int64_t parts = run.plan->cut_by_rank ? p : 1;
  const bool may_move = run.identity.operation == schedule::Operation::broadcast ||
                        run.identity.operation == schedule::Operation::scatter;
  if (!is_first || has_moved || !may_move || run.plan->buffers.parts != parts ||
      elements % blocks != 0)
    return false;
  const std::int64_t before = run.bytes / static_cast<std::int64_t>(run.memory.element_bytes());
  const std::int64_t n = elements / blocks * parts;
  run.memory.bind(n, run.memory.element_bytes(), run.memory.input(), run.memory.output(), {});
  run.set_totals();
  run.shortened.n = before;
  tell(run, -1, n);
  return true;
}

// Ranks have counted blocks of any size. The ops that have to do with this block take its new size;
// it stays at its place. A copy from scratch to output may have it among others. Then the rest of
// the block in scratch is made what the output has there, so that the copy changes nothing. Any
// other op that has it among others would mean that other blocks move.
bool shorten_block(RunState& run, std::uint32_t index, std::int64_t elements) {
  const Slice spans = run.plan->ops[index].spans;
  if (spans.size() != 1 || run.plan->spans[spans.begin].count != 1) return false;
  const BlockSpan& block = run.plan->spans[spans.begin];
  const auto source = [&](const MicroOp& op) {
    return op.what == Do::copy ? run.plan->operands[op.operands.begin].spans : op.spans;
  };
  bool is_among_others = false;
  for (const MicroOp& op : run.plan->ops) {
    const bool is_source = op.what == Do::copy && has_part_of(*run.plan, source(op), block);
    const bool touches = has_part_of(*run.plan, op.spans, block) || is_source;
    if (!touches || same_blocks(*run.plan, op.spans, spans) ||
        same_blocks(*run.plan, source(op), spans))
      continue;
    if (!is_source || !copies_to_the_same_place(*run.plan, op)) return false;
    is_among_others = true;
  }
  if (is_among_others) run.memory.keep_rest(block, elements);
  for (std::uint32_t i = 0; i < run.plan->ops.size(); ++i) {
    const MicroOp& op = run.plan->ops[i];
    if (!same_blocks(*run.plan, op.spans, spans) && !same_blocks(*run.plan, source(op), spans))
      continue;
    run.shortened.ops.push_back(i);
    run.shortened.totals.push_back(run.states[i].total);
    run.set_total(i, elements);
  }
  tell(run, block.first, elements);
  return true;
}

}  // namespace

bool accept_shorter(RunState& run, const transport::Channel& channel,
                    const transport::Packet& packet) {
  if (run.in_flight->tell_shorter().tell == nullptr) return false;
  const auto elements = static_cast<std::int64_t>(packet.total / run.memory.element_bytes());
  const auto receive = receive_from(run, channel);
  if (!receive || run.states[*receive].total_bytes <= packet.total) return false;
  return run.evenly_cut ? shorten_vector(run, *receive, elements)
                        : shorten_block(run, *receive, elements);
}

std::optional<std::uint32_t> receive_from(const RunState& run, const transport::Channel& channel) {
  const Slice ops = run.plan->rounds[run.round];
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    const MicroOp& op = run.plan->ops[i];
    if (op.what == Do::receive && run.plan->peers[op.peers.begin] == &channel) return i;
  }
  return std::nullopt;
}

std::int64_t blocks_of(const RunState& run, std::uint32_t index) {
  const Slice spans = run.plan->ops[index].spans;
  std::int64_t blocks = 0;
  for (std::uint32_t i = spans.begin; i < spans.end; ++i) blocks += run.plan->spans[i].count;
  return std::max<std::int64_t>(blocks, 1);
}

void expect_as_given(RunState& run) {
  const Shortened before = std::move(run.shortened);
  run.shortened = {};
  for (std::size_t i = 0; i < before.ops.size(); ++i)
    run.set_total(before.ops[i], before.totals[i]);
  if (before.n < 0) return;
  run.memory.bind(before.n, run.memory.element_bytes(), run.memory.input(), run.memory.output(),
                  {});
  run.set_totals();
}

}  // namespace tutti::engine
