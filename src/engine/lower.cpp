// SPDX-License-Identifier: BSD-3-Clause
// Lowers a Program: block lists become spans, ranks become channels. Gates keep the order between a
// round's sends and its writes.
#include <algorithm>

#include "engine/lower_check.hpp"
#include "engine/lowered.hpp"

namespace tutti::engine {
namespace {

using schedule::Block;
using schedule::Blocks;
using schedule::Do;
using schedule::Op;
using schedule::Operand;
using schedule::Program;
using schedule::Ranks;

class Lowering {
 public:
  Lowering(transport::Transport& transport, std::span<const int> endpoints)
      : transport_(&transport), endpoints_(endpoints) {}

  LoweredPlan run(const Program& program, const schedule::Buffers& buffers, int rank) {
    plan_.buffers = buffers;
    plan_.own_first = rank * (buffers.parts / std::max(1, static_cast<int>(endpoints_.size())));
    for (const schedule::Round& round : program) add_round(round);
    return std::move(plan_);
  }

 private:
  transport::Channel* channel(int rank) {
    return &transport_->channel(endpoints_[static_cast<std::size_t>(rank)]);
  }

  Slice add_spans(const Blocks& blocks) {
    const auto begin = static_cast<std::uint32_t>(plan_.spans.size());
    for (const Block& block : blocks) {
      for (int j = 0; j < block.times; ++j) {
        const BlockSpan span{block.buffer, block.first + j * block.stride, block.count};
        BlockSpan* last = plan_.spans.size() > begin ? &plan_.spans.back() : nullptr;
        if (last != nullptr && last->buffer == span.buffer &&
            last->first + last->count == span.first) {
          last->count += span.count;
        } else {
          plan_.spans.push_back(span);
        }
      }
    }
    return {begin, static_cast<std::uint32_t>(plan_.spans.size())};
  }

  Slice add_peers(const Ranks& ranks) {
    const auto begin = static_cast<std::uint32_t>(plan_.peers.size());
    for (int i = 0; i < ranks.count; ++i) {
      const int rank = ranks.first + i * ranks.stride;
      if (rank != ranks.except) plan_.peers.push_back(channel(rank));
    }
    return {begin, static_cast<std::uint32_t>(plan_.peers.size())};
  }

  Slice add_operands(const std::vector<Operand>& operands) {
    const auto begin = static_cast<std::uint32_t>(plan_.operands.size());
    for (const Operand& operand : operands) {
      LoweredOperand lowered;
      if (operand.is_local()) {
        lowered.spans = add_spans(operand.local);
      } else {
        lowered.channel = channel(num(operand.from));
      }
      plan_.operands.push_back(lowered);
    }
    return {begin, static_cast<std::uint32_t>(plan_.operands.size())};
  }

  // Sends come first: they read the state before the round, and none of them needs a result of the
  // round.
  void add_round(const schedule::Round& round) {
    const auto begin = static_cast<std::uint32_t>(plan_.ops.size());
    for (const Op& op : round.ops) {
      if (op.what == Do::send) add_op(op);
    }
    const auto sends_end = static_cast<std::uint32_t>(plan_.ops.size());
    for (const Op& op : round.ops) {
      if (op.what == Do::send) continue;
      MicroOp& lowered = add_op(op);
      lowered.gates = gates_of(lowered, {begin, sends_end});
      lowered.gates_across = are_across(lowered);
      lowered.staged = needs_staging(plan_, lowered);
      lowered.pair = pair_of(lowered);
    }
    const auto end = static_cast<std::uint32_t>(plan_.ops.size());
    for (std::uint32_t i = sends_end; i < end; ++i) {
      MicroOp& op = plan_.ops[i];
      const auto later = plan_.ops.begin() + i + 1;
      op.apart = op.what == Do::copy &&
                 std::all_of(later, plan_.ops.begin() + end,
                             [&](const MicroOp& other) { return is_apart(plan_, op, other); });
    }
    plan_.rounds.push_back({begin, end});
  }

  MicroOp& add_op(const Op& op) {
    MicroOp lowered;
    lowered.what = op.what;
    lowered.spans = add_spans(op.blocks);
    if (op.what == Do::send || op.what == Do::receive) {
      lowered.peers = add_peers(op.to);
      lowered.to = op.to;
    }
    if (op.what != Do::send && op.what != Do::receive) lowered.operands = add_operands(op.operands);
    return plan_.ops.emplace_back(lowered);
  }

  [[nodiscard]] Pair pair_of(const MicroOp& op) const {
    if (op.what != Do::receive_combine || op.operands.size() != 2) return Pair::none;
    const bool first_local = plan_.operands[op.operands.begin].channel == nullptr;
    const bool second_local = plan_.operands[op.operands.begin + 1].channel == nullptr;
    if (first_local == second_local) return Pair::none;
    return first_local ? Pair::local_first : Pair::message_first;
  }

  Slice gates_of(const MicroOp& writer, Slice sends) {
    const auto begin = static_cast<std::uint32_t>(plan_.gates.size());
    for (std::uint32_t send = sends.begin; send < sends.end; ++send) {
      if (must_wait_for(plan_, writer, plan_.ops[send])) plan_.gates.push_back(send);
    }
    return {begin, static_cast<std::uint32_t>(plan_.gates.size())};
  }

  [[nodiscard]] bool all_in(Slice spans, schedule::Buffer buffer) const {
    return std::all_of(plan_.spans.begin() + spans.begin, plan_.spans.begin() + spans.end,
                       [buffer](const BlockSpan& span) { return span.buffer == buffer; });
  }
  [[nodiscard]] bool are_across(const MicroOp& writer) const {
    using schedule::Buffer;
    const bool output = all_in(writer.spans, Buffer::output);
    if (!output && !all_in(writer.spans, Buffer::input)) return false;
    const Buffer other = output ? Buffer::input : Buffer::output;
    return std::all_of(plan_.gates.begin() + writer.gates.begin,
                       plan_.gates.begin() + writer.gates.end,
                       [&](std::uint32_t send) { return all_in(plan_.ops[send].spans, other); });
  }

  transport::Transport* transport_;
  std::span<const int> endpoints_;
  LoweredPlan plan_;
};

}  // namespace

LoweredPlan lower(const Program& program, const schedule::Buffers& buffers,
                  transport::Transport& transport, std::span<const int> endpoints, int rank) {
  return Lowering(transport, endpoints).run(program, buffers, rank);
}

}  // namespace tutti::engine
