// SPDX-License-Identifier: BSD-3-Clause
// The rules for a job and its operations (check.hpp).
#include "simulate/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace tutti::simulate {
namespace {

class Check {
 public:
  explicit Check(int nodes) : nodes_(nodes) {}

  void phase(const Phase& phase, int number) {
    where_ = fmt::format("phase {}", number);
    if (const auto* operations = std::get_if<Operations>(&phase)) {
      taken_.assign(static_cast<std::size_t>(nodes_), false);
      for (const JobOperation& one : operations->all) operation(one);
    } else if (const auto* computation = std::get_if<Computation>(&phase)) {
      times(computation->time);
    }
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    base::fail(base::Status::invalid_argument, "{}: {}", where_,
               fmt::format(format, std::forward<Args>(args)...));
  }

  void times(const std::vector<double>& times) const {
    if (times.size() != 1 && times.size() != static_cast<std::size_t>(nodes_))
      fail("{} times of computation for {} nodes", times.size(), nodes_);
    for (const double time : times)
      if (!(time >= 0) || !std::isfinite(time)) fail("a computation of {} microseconds", time);
  }

  void operation(const JobOperation& operation) {
    const schedule::Shape& shape = operation.shape;
    const int p = shape.p;
    if (p < 1) fail("an operation of {} ranks", p);
    if (shape.root < 0 || shape.root >= p)
      fail("the root is {} but there are {} ranks", shape.root, p);
    if (operation.element < 1) fail("elements of {} bytes", operation.element);
    if (operation.bytes < 0) fail("a vector of {} bytes", operation.bytes);
    if (!(operation.idle >= 0) || !std::isfinite(operation.idle))
      fail("idle for {} microseconds", operation.idle);
    counts(operation);
    nodes(operation);
    if (operation.generator != nullptr) {
      if (!operation.generator->applies(shape))
        fail("{} is not defined for p = {}", operation.generator->name, p);
    } else {
      programs(operation);
    }
  }

  void counts(const JobOperation& operation) const {
    if (operation.counts.empty()) return;
    const auto p = static_cast<std::size_t>(operation.shape.p);
    if (operation.counts.size() != p) fail("{} counts for {} ranks", operation.counts.size(), p);
    for (const std::int64_t count : operation.counts)
      if (count < 0) fail("a part of {} bytes", count);
    if (buffers_of(operation).parts % operation.shape.p != 0)
      fail("counts by rank, but the vector is not cut by rank");
  }

  void nodes(const JobOperation& operation) {
    const int p = operation.shape.p;
    if (!operation.nodes.empty() && operation.nodes.size() != static_cast<std::size_t>(p))
      fail("{} nodes for {} ranks", operation.nodes.size(), p);
    for (int rank = 0; rank < p; ++rank) {
      const int node =
          operation.nodes.empty() ? rank : operation.nodes[static_cast<std::size_t>(rank)];
      if (node < 0 || node >= nodes_)
        fail("rank {} is node {}, but there are {} nodes", rank, node, nodes_);
      if (taken_[static_cast<std::size_t>(node)]) fail("node {} takes part twice", node);
      taken_[static_cast<std::size_t>(node)] = true;
    }
  }

  void programs(const JobOperation& operation) const {
    if (operation.programs.size() != static_cast<std::size_t>(operation.shape.p))
      fail("{} programs for {} ranks", operation.programs.size(), operation.shape.p);
    for (const schedule::Program& program : operation.programs)
      for (const schedule::Round& round : program)
        for (const schedule::Op& op : round.ops) one(op, operation);
  }

  void one(const schedule::Op& op, const JobOperation& operation) const {
    blocks(op.blocks, operation);
    if (op.what == schedule::Do::send) {
      const std::int64_t last = op.to.first + std::int64_t{op.to.count - 1} * op.to.stride;
      if (op.to.count > 0) rank(op.to.first, operation), rank(last, operation);
    } else if (op.what == schedule::Do::receive) {
      rank(op.to.first, operation);
    }
    if (op.what == schedule::Do::copy && op.operands.size() != 1)
      fail("a copy of {} operands", op.operands.size());
    for (const schedule::Operand& operand : op.operands) {
      if (!operand.is_local()) rank(num(operand.from), operation);
      blocks(operand.local, operation);
    }
  }

  void rank(std::int64_t rank, const JobOperation& operation) const {
    if (rank < 0 || rank >= operation.shape.p)
      fail("a program names rank {} of {}", rank, operation.shape.p);
  }

  void blocks(const schedule::Blocks& blocks, const JobOperation& operation) const {
    for (const schedule::Block& block : blocks) {
      const int size = operation.buffers.blocks_of(block.buffer);
      const std::int64_t last = block.first + std::int64_t{block.times - 1} * block.stride;
      const bool inside = block.first >= 0 && block.count >= 0 && block.times >= 0 && last >= 0 &&
                          block.first + std::int64_t{block.count} <= size &&
                          last + block.count <= size;
      if (!inside) fail("a program names a block that its buffer does not have");
    }
  }

  int nodes_;
  std::string where_;
  std::vector<bool> taken_;
};

}  // namespace

schedule::Buffers buffers_of(const JobOperation& operation) {
  return operation.generator != nullptr ? operation.generator->buffers(operation.shape)
                                        : operation.buffers;
}

void check_hosts(const JobHosts& hosts, int nodes, int nodes_of_machine) {
  constexpr int most_nodes = 1 << 20;  // numbers of nodes have 20 bits in keys and in events
  const auto places = static_cast<std::int64_t>(hosts.place.size());
  if (nodes < 0 || (hosts.place.empty() && nodes > nodes_of_machine))
    base::fail(base::Status::invalid_argument, "{} nodes, but the machine has {}", nodes,
               nodes_of_machine);
  if (nodes > most_nodes)
    base::fail(base::Status::invalid_argument, "{} nodes, limit {}", nodes, most_nodes);
  if (places != 0 && places != nodes)
    base::fail(base::Status::invalid_argument, "{} places of {} nodes", places, nodes);
  for (const int place : hosts.place)
    if (place < 0 || place >= nodes_of_machine)
      base::fail(base::Status::invalid_argument,
                 "a processor is on node {}, but the machine has {}", place, nodes_of_machine);
}

void check(const SimulatedJob& job, int nodes) {
  Check check(nodes);
  int number = 0;
  for (const Phase& phase : job.phases) check.phase(phase, ++number);
}

}  // namespace tutti::simulate
