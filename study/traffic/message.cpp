// SPDX-License-Identifier: BSD-3-Clause
// Makes the messages of generators and of operations, and routes them.
#include "traffic/message.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "schedule/block_count.hpp"

namespace tutti::traffic {
namespace {

using schedule::Operation;

void append_sends(Messages& out, const schedule::Op& op, int step, int rank) {
  const std::int64_t blocks = schedule::block_count(op.blocks);
  bool forwards = false;
  for (const schedule::Block& block : op.blocks)
    forwards = forwards || block.buffer != schedule::Buffer::input;
  for (int i = 0; i < op.to.count; ++i) {
    const int to = op.to.first + i * op.to.stride;
    if (to != op.to.except) out.push_back({step, rank, to, blocks, forwards, {}});
  }
}

bool has_for(Operation operation, const schedule::Shape& shape, int from, int to) {
  switch (operation) {
    case Operation::broadcast:
    case Operation::scatter:
      return from == shape.root;
    case Operation::reduce:
    case Operation::gather:
      return to == shape.root;
    case Operation::scan:
    case Operation::exscan:
      return from < to;
    default:
      return true;
  }
}

}  // namespace

Messages messages_of(const schedule::Generator& generator, const schedule::Shape& shape) {
  Messages messages;
  int step = 0;
  for (int t = 0; t < generator.rounds(shape); ++t) {
    const std::size_t before = messages.size();
    for (int rank = 0; rank < shape.p; ++rank) {
      schedule::Round round;
      generator.emit(round, shape, schedule::Rank{rank}, t);
      for (const schedule::Op& op : round.ops)
        if (op.what == schedule::Do::send) append_sends(messages, op, step + 1, rank);
    }
    if (messages.size() > before) ++step;
  }
  return messages;
}

Messages pairs_of(Operation operation, const schedule::Shape& shape) {
  Messages messages;
  for (int from = 0; from < shape.p; ++from)
    for (int to = 0; to < shape.p; ++to)
      if (from != to && has_for(operation, shape, from, to))
        messages.push_back({.from = from, .to = to});
  return messages;
}

Messages routed(Messages messages, const machine::Topology& topology) {
  const int nodes = topology.nodes();
  for (Message& message : messages) {
    if (std::max(message.from, message.to) >= nodes)
      base::fail(base::Status::invalid_argument, "rank {} does not fit on {}, which has {} nodes",
                 std::max(message.from, message.to), topology.name(), nodes);
    message.route = topology.route(message.from, message.to);
  }
  return messages;
}

int last_step(const Messages& messages) {
  int last = 0;
  for (const Message& message : messages) last = std::max(last, message.step);
  return last;
}

bool one_port(const Messages& messages) {
  std::set<std::pair<int, int>> sends, receives;
  return std::all_of(messages.begin(), messages.end(), [&](const Message& message) {
    return sends.insert({message.step, message.from}).second &&
           receives.insert({message.step, message.to}).second;
  });
}

}  // namespace tutti::traffic
