// SPDX-License-Identifier: BSD-3-Clause
// Receives messages that are shorter than the room for them, where a front end allows it. MPI's
// programs give long receive buffers to MPI_Bcast, MPI_Scatter and the like. The receiver then
// takes the sender's size for its own, before it has moved anything.
#include <algorithm>

#include "engine/executor.hpp"
#include "schedule/partition.hpp"

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

}  // namespace

bool Executor::accept_shorter(const transport::Channel& channel, const transport::Packet& packet) {
  if (in_flight_->tell_shorter().tell == nullptr) return false;
  const auto elements = static_cast<std::int64_t>(packet.total / memory_.element_bytes());
  const auto receive = receive_from(channel);
  if (!receive || states_[*receive].total_bytes <= packet.total) return false;
  return evenly_cut_ ? shorten_vector(*receive, elements) : shorten_block(*receive, elements);
}

// Returns the op of this round that receives from the channel's peer.
std::optional<std::uint32_t> Executor::receive_from(const transport::Channel& channel) const {
  const Slice ops = plan_->rounds[round_];
  for (std::uint32_t i = ops.begin; i < ops.end; ++i) {
    const MicroOp& op = plan_->ops[i];
    if (op.what == Do::receive && plan_->peers[op.peers.begin] == &channel) return i;
  }
  return std::nullopt;
}

// Returns how many blocks an op writes, at least 1.
std::int64_t Executor::blocks_of(std::uint32_t index) const {
  const Slice spans = plan_->ops[index].spans;
  std::int64_t blocks = 0;
  for (std::uint32_t i = spans.begin; i < spans.end; ++i) blocks += plan_->spans[i].count;
  return std::max<std::int64_t>(blocks, 1);
}

// All ranks cut the vector evenly, so the size of one message tells that of the whole vector, if
// the vector is not cut at all or each rank has one block. Earlier ops have used the size that this
// rank gave, so there must be none.
bool Executor::shorten_vector(std::uint32_t index, std::int64_t elements) {
  const Slice ops = plan_->rounds[round_];
  const bool is_first = index == ops.begin && ops.begin == 0;
  const bool has_moved =
      entered_ && std::any_of(states_.begin() + ops.begin, states_.begin() + ops.end,
                              [](const OpState& state) { return state.done > 0; });
  const auto p = static_cast<std::int64_t>(identity_.endpoints.size());
  const bool by_rank = schedule::cut_by_rank(identity_.operation, plan_->buffers);
  const std::int64_t blocks = blocks_of(index);
  const std::int64_t parts = by_rank ? p : 1;
  const bool may_move = identity_.operation == schedule::Operation::broadcast ||
                        identity_.operation == schedule::Operation::scatter;
  if (!is_first || has_moved || !may_move || plan_->buffers.parts != parts ||
      elements % blocks != 0)
    return false;
  const std::int64_t before = bytes_ / static_cast<std::int64_t>(memory_.element_bytes());
  const std::int64_t n = elements / blocks * parts;
  memory_.bind(n, memory_.element_bytes(), memory_.input(), memory_.output(), {});
  set_totals();
  expected_.n = before;
  const TellShorter& shorter = in_flight_->tell_shorter();
  shorter.tell(shorter.user, memory_.output().base, -1,
               n * static_cast<std::int64_t>(memory_.element_bytes()));
  return true;
}

// Ranks have counted blocks of any size. The ops that have to do with this block take its new size;
// it stays at its place. A copy from scratch to output may have it among others. Then the rest of
// the block in scratch is made what the output has there, so that the copy changes nothing. Any
// other op that has it among others would mean that other blocks move.
bool Executor::shorten_block(std::uint32_t index, std::int64_t elements) {
  const Slice spans = plan_->ops[index].spans;
  if (spans.size() != 1 || plan_->spans[spans.begin].count != 1) return false;
  const BlockSpan& block = plan_->spans[spans.begin];
  const auto source = [&](const MicroOp& op) {
    return op.what == Do::copy ? plan_->operands[op.operands.begin].spans : op.spans;
  };
  bool is_among_others = false;
  for (const MicroOp& op : plan_->ops) {
    const bool is_source = op.what == Do::copy && has_part_of(*plan_, source(op), block);
    const bool touches = has_part_of(*plan_, op.spans, block) || is_source;
    if (!touches || same_blocks(*plan_, op.spans, spans) || same_blocks(*plan_, source(op), spans))
      continue;
    if (!is_source || !copies_to_the_same_place(*plan_, op)) return false;
    is_among_others = true;
  }
  if (is_among_others) memory_.keep_rest(block, elements);
  for (std::uint32_t i = 0; i < plan_->ops.size(); ++i) {
    const MicroOp& op = plan_->ops[i];
    if (!same_blocks(*plan_, op.spans, spans) && !same_blocks(*plan_, source(op), spans)) continue;
    expected_.shrunk.push_back(i);
    expected_.totals.push_back(states_[i].total);
    set_total(i, elements);
  }
  const TellShorter& shorter = in_flight_->tell_shorter();
  shorter.tell(shorter.user, memory_.output().base, block.first,
               elements * static_cast<std::int64_t>(memory_.element_bytes()));
  return true;
}

void Executor::set_total(std::uint32_t index, std::int64_t elements) {
  states_[index].total = elements;
  states_[index].total_bytes = static_cast<std::uint64_t>(elements) * memory_.element_bytes();
  steps_[index].elements = elements;
  steps_[index].bytes = static_cast<std::uint32_t>(states_[index].total_bytes);
}

// Undoes what shorter messages have changed, for the next execution of the call.
void Executor::expect_as_given() {
  const Expected before = std::move(expected_);
  expected_ = {};
  for (std::size_t i = 0; i < before.shrunk.size(); ++i)
    set_total(before.shrunk[i], before.totals[i]);
  if (before.n < 0) return;
  memory_.bind(before.n, memory_.element_bytes(), memory_.input(), memory_.output(), {});
  set_totals();
}

}  // namespace tutti::engine
