// SPDX-License-Identifier: BSD-3-Clause
// Turns a lowered plan back into a Program, for printing and comparing.
#include <algorithm>

#include "base/error.hpp"
#include "engine/lowered.hpp"

namespace tutti::engine {
namespace {

using schedule::Blocks;
using schedule::Do;
using schedule::Op;
using schedule::Operand;
using schedule::Rank;

Blocks blocks_of(const LoweredPlan& plan, Slice spans) {
  Blocks blocks;
  for (std::uint32_t i = spans.begin; i < spans.end; ++i) {
    blocks.push_back({plan.spans[i].buffer, plan.spans[i].first, plan.spans[i].count});
  }
  return blocks;
}

int rank_of(const transport::Channel& channel, std::span<const int> endpoints) {
  const auto found = std::find(endpoints.begin(), endpoints.end(), channel.peer());
  if (found == endpoints.end()) {
    base::fail(base::Status::not_a_member,
               "a plan has a channel to endpoint {}, which is not in its group", channel.peer());
  }
  return static_cast<int>(found - endpoints.begin());
}

void check_peers(const LoweredPlan& plan, const MicroOp& op, std::span<const int> endpoints) {
  std::uint32_t peer = op.peers.begin;
  for (int i = 0; i < op.to.count; ++i) {
    const int rank = op.to.first + i * op.to.stride;
    if (rank == op.to.except) continue;
    if (peer == op.peers.end || rank_of(*plan.peers[peer], endpoints) != rank) {
      base::fail(base::Status::not_a_member, "a plan's channels are not those of its ranks");
    }
    ++peer;
  }
}

}  // namespace

Op raise(const LoweredPlan& plan, const MicroOp& op, std::span<const int> endpoints) {
  Op raised{op.what, blocks_of(plan, op.spans), {}, {}};
  if (op.what == Do::send || op.what == Do::receive) {
    check_peers(plan, op, endpoints);
    raised.to = op.to;
  }
  for (std::uint32_t i = op.operands.begin; i < op.operands.end; ++i) {
    const LoweredOperand& operand = plan.operands[i];
    if (operand.channel == nullptr) {
      raised.operands.push_back({Rank{-1}, blocks_of(plan, operand.spans)});
    } else {
      raised.operands.push_back({Rank{rank_of(*operand.channel, endpoints)}, {}});
    }
  }
  return raised;
}

schedule::Program raise(const LoweredPlan& plan, std::span<const int> endpoints) {
  schedule::Program program;
  for (const Slice ops : plan.rounds) {
    schedule::Round& round = program.emplace_back();
    for (std::uint32_t i = ops.begin; i < ops.end; ++i)
      round.ops.push_back(raise(plan, plan.ops[i], endpoints));
  }
  return program;
}

}  // namespace tutti::engine
