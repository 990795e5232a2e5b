// SPDX-License-Identifier: BSD-3-Clause
// A Program lowered to one transport: flat arrays with channels in place of ranks. Blocks stay
// indices, because their elements are known only when the plan starts. It is plain data, so it can
// be inspected and checked like the Program. Plans make it, runs carry it out.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/generator.hpp"
#include "transport/transport.hpp"

namespace tutti::engine {

// Half-open range of indices into one of LoweredPlan's arrays.
struct Slice {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
};

// Consecutive block indices of one buffer.
struct BlockSpan {
  schedule::Buffer buffer;
  int first;
  int count;
};

struct LoweredOperand {
  transport::Channel* channel = nullptr;  // nullptr: local
  Slice spans;
};

// Marks the commonest combine: one local operand and one message.
enum class Pair : std::uint8_t { none, local_first, message_first };

struct MicroOp {
  schedule::Do what;
  Pair pair = Pair::none;
  // A local operand after the second shares memory with the result. So the result is made in other
  // memory and then copied.
  bool staged = false;
  // Marks a copy that shares no memory with later ops of its round, which need not wait for it.
  bool apart = false;
  Slice spans;     // send: the blocks sent; other ops: the blocks written
  Slice peers;     // send: all receivers; receive: the sender
  Slice operands;  // inputs of combines and copies
  Slice gates;     // sends of this round that read what this op writes: it must not overtake them
  // All these sends read the input and this op writes the output, or the other way round. So there
  // is nothing to overtake where the two do not share memory.
  bool gates_across = false;
  schedule::Ranks to;  // the peers as the Program lists them
};

struct LoweredPlan {
  std::vector<Slice> rounds;  // ranges of ops
  std::vector<MicroOp> ops;
  std::vector<BlockSpan> spans;
  std::vector<transport::Channel*> peers;
  std::vector<LoweredOperand> operands;
  std::vector<std::uint32_t> gates;  // indices into ops
  schedule::Buffers buffers;
  int own_first = 0;         // the rank's first part of the vector, where the vector is cut by rank
  bool cut_by_rank = false;  // the elements of each rank are cut, and not those of the vector
};

// Lowers the Program of rank `rank` of the group of `endpoints`. Throws Error if it cannot run
// without a hazard (writes that partly overlap a send of the same round).
[[nodiscard]] LoweredPlan lower(const schedule::Program& program, const schedule::Buffers& buffers,
                                transport::Transport& transport, std::span<const int> endpoints,
                                int rank);

// Returns the Program that `plan` executes. Printing, recording and comparing use it, so they show
// what runs. Throws Error(not_a_member) if a channel does not lead to the endpoint of its rank.
[[nodiscard]] schedule::Program raise(const LoweredPlan& plan, std::span<const int> endpoints);
// Returns one of its ops.
[[nodiscard]] schedule::Op raise(const LoweredPlan& plan, const MicroOp& op,
                                 std::span<const int> endpoints);

}  // namespace tutti::engine
