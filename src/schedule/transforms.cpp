// SPDX-License-Identifier: BSD-3-Clause
// The transforms as functions over rounds. Each takes what the inner generator emits for one rank
// and rewrites it.
#include "schedule/transforms.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace tutti::schedule {

// All arguments lie in [0, p), so one correction replaces a modulo.
Int distance_from_root(const Shape& shape, Int rank) {
  return rank >= shape.root ? rank - shape.root : rank - shape.root + shape.p;
}
Int rank_at_distance(const Shape& shape, Int distance) {
  return shape.root + distance < shape.p ? shape.root + distance : shape.root + distance - shape.p;
}
Int distance_below_root(const Shape& shape, Int rank) {
  return shape.root >= rank ? shape.root - rank : shape.root - rank + shape.p;
}
Int exclusive_or_root(const Shape& shape, Int rank) {
  return rank ^ shape.root;
}

namespace detail {
namespace {

// Calls f for every list of blocks that an operation names: its own and those of its local
// operands.
template <class F>
void for_each_blocks(Op& op, F f) {
  f(op.blocks);
  for (Operand& operand : op.operands) f(operand.local);
}

Blocks in_buffer(Blocks blocks, Buffer buffer) {
  for (Block& block : blocks) block.buffer = buffer;
  return blocks;
}

Buffer opposite(Buffer buffer) {
  if (buffer == Buffer::scratch) return buffer;
  return buffer == Buffer::input ? Buffer::output : Buffer::input;
}

Blocks opposite(Blocks blocks) {
  for (Block& block : blocks) block.buffer = opposite(block.buffer);
  return blocks;
}

template <class F>
void for_each_rank(const Ranks& set, F f) {
  for (Int i = 0; i < set.count; ++i) {
    const Int rank = set.first + i * set.stride;
    if (rank != set.except) f(rank);
  }
}

// Reverses a run of sends of the same blocks: the parent combines the contributions of the children
// and its own, in the order of their numbers.
void fan_in(Round& out, const Blocks& blocks, std::vector<Int> children, Rank me,
            Buffer accumulator) {
  std::sort(children.begin(), children.end());
  const Blocks mine = in_buffer(blocks, accumulator);
  std::vector<Operand> operands;
  bool listed = false;
  for (const Int& child : children) {
    if (!listed && child > num(me)) {
      operands.push_back(local(mine));
      listed = true;
    }
    operands.push_back(remote(Rank{child}));
  }
  if (!listed) operands.push_back(local(mine));
  out.receive_combine(mine, std::move(operands));
}

void broadcast_to_reduce(Round& out, const Round& forward, Rank me, Buffer accumulator) {
  for (std::size_t i = 0; i < forward.ops.size(); ++i) {
    const Op& op = forward.ops[i];
    if (op.what == Do::receive) out.send(in_buffer(op.blocks, accumulator), Rank{op.to.first});
    if (op.what != Do::send) continue;
    std::vector<Int> children;
    const auto add = [&](Int rank) { children.push_back(rank); };
    for_each_rank(op.to, add);
    for (; i + 1 < forward.ops.size() && forward.ops[i + 1].what == Do::send &&
           forward.ops[i + 1].blocks == op.blocks;
         ++i)
      for_each_rank(forward.ops[i + 1].to, add);
    if (!children.empty()) fan_in(out, op.blocks, std::move(children), me, accumulator);
  }
}

void reduce_to_broadcast(Round& out, const Round& forward) {
  for (const Op& op : forward.ops) {
    if (op.what == Do::send) out.receive(in_buffer(op.blocks, Buffer::output), Rank{op.to.first});
    if (op.what != Do::receive_combine) continue;
    for (const Operand& operand : op.operands)
      if (!operand.is_local()) out.send(in_buffer(op.blocks, Buffer::output), operand.from);
  }
}

void reverse_messages(Round& out, std::span<const Op> forward) {
  for (const Op& op : forward) {
    if (op.what == Do::send)
      for_each_rank(op.to, [&](Int rank) { out.receive(opposite(op.blocks), Rank{rank}); });
    if (op.what == Do::receive) out.send(opposite(op.blocks), Rank{op.to.first});
  }
}

// Reverses a round of a scatter or gather. A copy that comes after the round's messages comes
// before them in the reversed round, while they are on their way.
void reverse_moves(Round& out, const Round& forward) {
  std::span<const Op> rest = forward.ops;
  for (std::size_t i = rest.size(); i-- > 0;) {
    const Op& op = rest[i];
    if (op.what != Do::copy) continue;
    reverse_messages(out, rest.subspan(i + 1));
    out.copy(opposite(op.operands[0].local), opposite(op.blocks));
    rest = rest.first(i);
  }
  reverse_messages(out, rest);
}

}  // namespace

Int reversed_rounds(const Generator& forward, const Shape& shape) {
  const Int rounds = forward.rounds(shape);
  if (forward.operation == Operation::broadcast) return rounds + 1;
  return forward.operation == Operation::reduce ? rounds - 1 : rounds;
}

Buffers reversed_buffers(const Generator& forward, const Shape& shape) {
  const Buffers b = forward.buffers(shape);
  if (forward.operation == Operation::broadcast) return {b.output, b.output, b.output, b.parts};
  if (forward.operation == Operation::reduce) return {0, b.output, 0, b.parts};
  return {b.output, b.input, b.scratch, b.parts, b.output_own_part, b.input_own_part};
}

void reversed_emit(const Generator& forward, Round& out, const Shape& shape, Rank me, Int t) {
  const Int last = forward.rounds(shape) - 1;
  Round round;
  if (forward.operation == Operation::broadcast) {
    const Buffer accumulator = num(me) == shape.root ? Buffer::output : Buffer::scratch;
    if (t == 0) {
      const Int blocks = forward.buffers(shape).output;
      return out.copy({{accumulator, 0, blocks}}, {{Buffer::input, 0, blocks}});
    }
    forward.emit(round, shape, me, last + 1 - t);
    return broadcast_to_reduce(out, round, me, accumulator);
  }
  forward.emit(round, shape, me, last - t);
  if (forward.operation == Operation::reduce) return reduce_to_broadcast(out, round);
  reverse_moves(out, round);
}

// A reduction has one round more than the broadcast, in which it copies its input.
Int reversed_like(const Generator& forward, const Shape& shape, Int t) {
  const Int rounds = forward.rounds(shape);
  if (forward.operation == Operation::reduce) return t;
  if (forward.operation == Operation::broadcast)
    return t == 0 ? t : rounds - forward.like(shape, rounds - t);
  return rounds - 1 - forward.like(shape, rounds - 1 - t);
}

void mapped_emit(const Generator& inner, RankMap to_number, RankMap to_rank, Round& out,
                 const Shape& shape, Rank me, Int t) {
  Shape numbered = shape;
  numbered.root = to_number(shape, shape.root);
  Round round;
  inner.emit(round, numbered, Rank{to_number(shape, num(me))}, t);
  for (Op& op : round.ops) {
    for (Operand& operand : op.operands)
      if (!operand.is_local()) operand.from = Rank{to_rank(shape, num(operand.from))};
    if (op.what == Do::send && op.to.count > 1) {
      // Renumbered ranks need not have equal distances, so each gets a send of its own.
      for_each_rank(op.to, [&](Int number) { out.send(op.blocks, Rank{to_rank(shape, number)}); });
      continue;
    }
    if (op.what == Do::send || op.what == Do::receive) op.to.first = to_rank(shape, op.to.first);
    out.ops.push_back(std::move(op));
  }
}

Int pipelined_rounds(const Generator& inner, const Shape& shape) {
  const Int rounds = inner.rounds(shape);
  return rounds == 0 ? 0 : rounds + shape.segments - 1;
}

Buffers pipelined_buffers(const Generator& inner, const Shape& shape) {
  Buffers b = inner.buffers(shape);
  for (Int* count : {&b.input, &b.output, &b.scratch, &b.parts}) *count *= shape.segments;
  return b;
}

namespace {

// Returns chunk `chunk` of each of the blocks. Blocks that were neighbours are now K apart.
Blocks chunk_of(const Blocks& blocks, Int chunk, Int segments) {
  Blocks chunks;
  for (const Block& b : blocks) {
    if (b.count == 1) {
      chunks.push_back({b.buffer, b.first * segments + chunk, 1, b.stride * segments, b.times});
      continue;
    }
    for (Int j = 0; j < b.times; ++j)
      chunks.push_back(
          {b.buffer, (b.first + j * b.stride) * segments + chunk, 1, segments, b.count});
  }
  return chunks;
}

}  // namespace

void pipelined_emit(const Generator& inner, Round& out, const Shape& shape, Rank me, Int t) {
  const Int last = inner.rounds(shape) - 1;
  for (Int chunk = std::max<Int>(0, t - last); chunk <= std::min<Int>(t, shape.segments - 1);
       ++chunk) {
    const auto before = static_cast<std::ptrdiff_t>(out.ops.size());
    inner.emit(out, shape, me, t - chunk);
    for (auto op = out.ops.begin() + before; op != out.ops.end(); ++op)
      for_each_blocks(*op,
                      [&](Blocks& blocks) { blocks = chunk_of(blocks, chunk, shape.segments); });
  }
}

Buffers no_buffers(const Shape&) {
  return {};
}

void without_data_emit(const Generator& inner, Round& out, const Shape& shape, Rank me, Int t) {
  Round round;
  inner.emit(round, shape, me, t);
  for (const Op& op : round.ops) {
    if (op.what == Do::send) out.send(Blocks{}, op.to);
    if (op.what == Do::receive) out.receive({}, Rank{op.to.first});
    if (op.what != Do::receive_combine) continue;
    for (const Operand& operand : op.operands)
      if (!operand.is_local()) out.receive({}, operand.from);
  }
}

}  // namespace detail
}  // namespace tutti::schedule
