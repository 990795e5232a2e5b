// SPDX-License-Identifier: BSD-3-Clause
// A Program lowered to one transport: flat arrays, channels resolved, blocks still indices (which
// elements they hold is known when the plan starts). Plain data, so it can be inspected and checked
// like the Program it came from.
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

// The commonest combine: one local operand and one message.
enum class Pair : std::uint8_t { none, local_first, message_first };

struct MicroOp {
  schedule::Do what;
  Pair pair = Pair::none;
  bool staged = false;  // a local operand beyond the second is the result's own memory: fold
                        // elsewhere, then copy
  bool apart = false;   // a copy that no later op of the round meets: they need not wait for it
  Slice spans;          // send: what is sent; otherwise: what is written
  Slice peers;          // send: all receivers; receive: the sender
  Slice operands;       // combines and copies
  Slice gates;  // sends of this round that read what this op writes: it must not overtake them
  schedule::Ranks to;  // peers as the Program had them
};

struct LoweredPlan {
  std::vector<Slice> rounds;  // of ops
  std::vector<MicroOp> ops;
  std::vector<BlockSpan> spans;
  std::vector<transport::Channel*> peers;
  std::vector<LoweredOperand> operands;
  std::vector<std::uint32_t> gates;  // indices into ops
  schedule::Buffers buffers;
  int own_first = 0;  // the rank's first part of the vector, where that is cut by rank
};

// The Program of rank `rank` of the group of `endpoints`. Throws Error when it cannot be executed
// without a hazard (writes that partly overlap a send of the same round).
[[nodiscard]] LoweredPlan lower(const schedule::Program& program, const schedule::Buffers& buffers,
                                transport::Transport& transport, std::span<const int> endpoints,
                                int rank);

// Back to the Program that these arrays execute: what is printed, recorded and compared is what
// runs. Throws Error if the channels are not those of the ranks.
[[nodiscard]] schedule::Program raise(const LoweredPlan& plan, std::span<const int> endpoints);

}  // namespace tutti::engine
