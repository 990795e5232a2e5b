// SPDX-License-Identifier: BSD-3-Clause
// The vocabulary of schedules. A Program says what one rank does, round by round. It names blocks
// of buffers, never addresses, bytes or element types, so one Program serves execution,
// verification, costing, drawing and simulation.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/int.hpp"

namespace tutti::schedule {

struct Rank {
  Int number;
  friend bool operator==(const Rank&, const Rank&) = default;
};
inline Int num(const Rank& rank) {
  return rank.number;
}

// Mathematical modulo: the result lies in [0, p) also for negative a.
inline Int mod(Int a, Int p) {
  return ((a % p) + p) % p;
}

// Sums of more ranks would not fit an int. Proofs for every p are proofs up to this one.
constexpr int largest_p = 1 << 30;

enum class Buffer : std::uint8_t { input, output, scratch };

// The block indices first + j*stride + i, 0 <= i < count, 0 <= j < times: `times` runs of `count`
// consecutive indices, the runs `stride` apart. Plain ranges leave times at 1.
struct Block {
  Buffer buffer = Buffer::output;
  Int first = 0;
  Int count = 1;
  Int stride = 0;
  Int times = 1;
  friend bool operator==(const Block&, const Block&) = default;
};
using Blocks = std::vector<Block>;

// A set of ranks in O(1) space: first, first + stride, ... (count of them), without `except`.
struct Ranks {
  Int first = 0;
  Int count = 1;
  Int stride = 1;
  Int except = -1;
  friend bool operator==(const Ranks&, const Ranks&) = default;
};

// One summand of a combine: either the next message from `from`, or local blocks of the same shape
// as the result.
struct Operand {
  Rank from{-1};
  Blocks local;
  bool is_local() const { return num(from) < 0; }
  friend bool operator==(const Operand&, const Operand&) = default;
};

enum class Do : std::uint8_t { send, receive, receive_combine, copy, combine };

// An operation of one rank in one round. It means, by kind:
//   `send`: blocks -> every rank of `to`.
//   `receive`: blocks <- rank to.first.
//   `receive_combine`: blocks := operands[0] + operands[1] + ..., folded from the left, as listed.
//   `combine`: blocks := operands[0] + operands[1] + ..., all of them local.
//   `copy`: blocks := operands[0].local.
struct Op {
  Do what;
  Blocks blocks;
  Ranks to;
  std::vector<Operand> operands;
  friend bool operator==(const Op&, const Op&) = default;
};

// A round is a step of the schedule. All sends read the state before the round; receives and local
// work follow, local work in the order written. The send from a to b in a round matches the receive
// (or remote operand) of b from a; there is at most one of each.
struct Round {
  std::vector<Op> ops;

  void send(Blocks blocks, Ranks to) { ops.push_back({Do::send, std::move(blocks), to, {}}); }
  void send(Blocks blocks, Rank to) { send(std::move(blocks), Ranks{num(to)}); }
  void receive(Blocks blocks, Rank from) {
    ops.push_back({Do::receive, std::move(blocks), Ranks{num(from)}, {}});
  }
  void receive_combine(Blocks dst, std::vector<Operand> operands) {
    ops.push_back({Do::receive_combine, std::move(dst), {}, std::move(operands)});
  }
  void combine(Blocks dst, std::vector<Operand> operands) {
    ops.push_back({Do::combine, std::move(dst), {}, std::move(operands)});
  }
  void copy(Blocks dst, Blocks src) {
    ops.push_back({Do::copy, std::move(dst), {}, {Operand{Rank{-1}, std::move(src)}}});
  }
  friend bool operator==(const Round&, const Round&) = default;
};

inline Operand local(Blocks blocks) {
  return {Rank{-1}, std::move(blocks)};
}
inline Operand remote(Rank from) {
  return {from, {}};
}

using Program = std::vector<Round>;

}  // namespace tutti::schedule
