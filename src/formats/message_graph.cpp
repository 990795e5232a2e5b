// SPDX-License-Identifier: BSD-3-Clause
// Makes graphs of messages, and GOAL of them.
#include "formats/message_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "schedule/partition.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;
using schedule::Blocks;
using schedule::Buffer;
using schedule::Do;
using schedule::Op;
using schedule::Operand;
using Kind = MessageNode::Kind;

class RankGraph {
 public:
  RankGraph(const Schedule& schedule, const GraphCosts& costs, int rank)
      : schedule_(schedule), costs_(costs), rank_(rank) {}

  std::vector<MessageNode> run() {
    const schedule::Program& program = schedule_.programs[static_cast<std::size_t>(rank_)];
    for (std::size_t t = 0; t < program.size(); ++t) {
      const auto begin = static_cast<int>(nodes_.size());
      round_ = static_cast<int>(t);
      for (const Op& op : program[t].ops) add(op);
      const auto end = static_cast<int>(nodes_.size());
      if (end == begin) continue;
      last_.clear();
      for (int i = begin; i < end; ++i) last_.push_back(i);
    }
    return std::move(nodes_);
  }

 private:
  [[nodiscard]] std::int64_t bytes_of(const Blocks& blocks) const {
    const schedule::Buffers& b = schedule_.buffers;
    const int parts = std::max(1, b.parts);
    // In a complete exchange each rank has equally much for each other one, in parts / p parts.
    const bool exchange = schedule_.operation == schedule::Operation::alltoall;
    const int pieces = exchange ? parts / schedule_.p : parts;
    const std::int64_t whole = exchange ? costs_.bytes / schedule_.p : costs_.bytes;
    const auto part_bytes = [&](int part) {
      const int piece = part % pieces;
      return schedule::even_cut(whole, pieces, piece + 1) -
             schedule::even_cut(whole, pieces, piece);
    };
    std::int64_t bytes = 0;
    for (const Block& block : blocks) {
      const bool own = (block.buffer == Buffer::input && b.input_own_part) ||
                       (block.buffer == Buffer::output && b.output_own_part);
      for (int j = 0; j < block.times; ++j)
        for (int i = 0; i < block.count; ++i) {
          const int number = block.first + j * block.stride + i;
          bytes += part_bytes(own ? rank_ * (parts / schedule_.p) + number : number % parts);
        }
    }
    return bytes;
  }

  int add_node(Kind kind, int peer, std::int64_t bytes, std::vector<int> after) {
    nodes_.push_back({kind, peer, bytes, round_, std::move(after)});
    return static_cast<int>(nodes_.size()) - 1;
  }

  void add(const Op& op) {
    const std::int64_t bytes = bytes_of(op.blocks);
    if (op.what == Do::send) {
      for (int i = 0; i < op.to.count; ++i) {
        const int to = op.to.first + i * op.to.stride;
        if (to != op.to.except) add_node(Kind::send, to, bytes, last_);
      }
    }
    if (op.what == Do::receive) add_node(Kind::receive, op.to.first, bytes, last_);
    if (op.what != Do::receive_combine && op.what != Do::combine) return;
    std::vector<int> taken;
    for (const Operand& operand : op.operands)
      if (!operand.is_local())
        taken.push_back(add_node(Kind::receive, num(operand.from), bytes, last_));
    const auto combined = static_cast<std::int64_t>(op.operands.size()) - 1;
    if (costs_.nanoseconds > 0 && combined > 0)
      add_node(Kind::work, -1, combined * bytes, taken.empty() ? last_ : taken);
  }

  const Schedule& schedule_;
  const GraphCosts& costs_;
  int rank_;
  int round_ = 0;
  std::vector<MessageNode> nodes_;
  std::vector<int> last_;  // the nodes of the last round with any
};

}  // namespace

MessageGraph message_graph(const Schedule& schedule, const GraphCosts& costs) {
  MessageGraph graph;
  for (int rank = 0; rank < schedule.p; ++rank)
    graph.push_back(RankGraph(schedule, costs, rank).run());
  return graph;
}

std::string goal_text(const MessageGraph& graph, const GraphCosts& costs) {
  std::string text = fmt::format("num_ranks {}\n", graph.size());
  for (std::size_t rank = 0; rank < graph.size(); ++rank) {
    text += fmt::format("\nrank {} {{\n", rank);
    for (std::size_t i = 0; i < graph[rank].size(); ++i) {
      const MessageNode& node = graph[rank][i];
      if (node.kind == Kind::work) {
        text += fmt::format("l{}: calc {}", i + 1,
                            std::llround(costs.nanoseconds * static_cast<double>(node.bytes)));
      } else {
        text += fmt::format("l{}: {} {}b {} {} tag {}", i + 1,
                            node.kind == Kind::send ? "send" : "recv", node.bytes,
                            node.kind == Kind::send ? "to" : "from", node.peer, node.round);
      }
      if (node.processor > 0) text += fmt::format(" cpu {}", node.processor);
      if (node.interface > 0) text += fmt::format(" nic {}", node.interface);
      text += '\n';
      for (const int before : node.after)
        text += fmt::format("l{} requires l{}\n", i + 1, before + 1);
      for (const int before : node.after_start)
        text += fmt::format("l{} irequires l{}\n", i + 1, before + 1);
    }
    text += "}\n";
  }
  return text;
}

}  // namespace tutti::formats
