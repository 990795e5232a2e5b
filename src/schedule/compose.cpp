// SPDX-License-Identifier: BSD-3-Clause
// Emits the operations of both parts of a composition. Their blocks are moved to where the vector
// stands between the two.
#include "schedule/compose.hpp"

#include <algorithm>

namespace tutti::schedule::detail {
namespace {

// The place of a buffer of one of the two composed algorithms, on one rank: a buffer of the
// composition, and the index of its first block there.
struct Place {
  Buffer buffer;
  Int shift = 0;  // index of the rank's own part
};

class Stage {
 public:
  Stage(const Generator& first, const Generator& second, const Shape& shape, Rank me, bool is_first)
      : operation_(composed_operation(first.operation, second.operation)), is_first_(is_first) {
    const Buffers whole = composed_buffers(first, second, shape);
    mine_ = (is_first ? first : second).buffers(shape);
    finer_ = whole.parts / mine_.parts;
    own_ = num(me) * (whole.parts / shape.p);
    const bool is_root = num(me) == shape.root;
    const bool has_output =
        operation_ == Operation::reduce ? is_root : operation_ != Operation::reduce_scatter;
    home_ = has_output ? Buffer::output : Buffer::scratch;
  }

  [[nodiscard]] Block moved(const Block& block) const {
    const Place place = place_of(block.buffer);
    return {place.buffer, place.shift + block.first * finer_, block.count * finer_,
            block.stride * finer_, block.times};
  }
  void move(Blocks& blocks) const {
    for (Block& block : blocks) block = moved(block);
  }

 private:
  Place place_of(Buffer buffer) const {
    if (buffer == Buffer::input && is_first_ && operation_ != Operation::broadcast)
      return {Buffer::input};
    if (buffer == Buffer::output && !is_first_ && operation_ == Operation::reduce_scatter)
      return {Buffer::output};
    const bool own = (buffer == Buffer::input && mine_.input_own_part) ||
                     (buffer == Buffer::output && mine_.output_own_part);
    return {home_, own ? own_ : 0};
  }

  Operation operation_;
  bool is_first_;
  Buffers mine_;
  Buffer home_ = Buffer::output;  // where the vector stands between the parts
  Int finer_ = 1;                 // blocks of the whole per block of the part
  Int own_ = 0;
};

}  // namespace

Buffers composed_buffers(const Generator& first, const Generator& second, const Shape& shape) {
  const Operation operation = composed_operation(first.operation, second.operation);
  const Int parts = std::max<Int>(first.buffers(shape).parts, second.buffers(shape).parts);
  Buffers b{parts, parts, 0, parts};
  if (operation == Operation::broadcast) b.input = 0;
  if (operation == Operation::reduce || operation == Operation::reduce_scatter) b.scratch = parts;
  b.input_own_part = operation == Operation::allgather;
  b.output_own_part = operation == Operation::reduce_scatter;
  if (b.input_own_part) b.input = parts_per_rank(shape, b);
  if (b.output_own_part) b.output = parts_per_rank(shape, b);
  return b;
}

Block composed_block(const Generator& first, const Generator& second, const Shape& shape, Rank me,
                     bool is_first, const Block& block) {
  return Stage(first, second, shape, me, is_first).moved(block);
}

void composed_emit(const Generator& first, const Generator& second, Round& out, const Shape& shape,
                   Rank me, Int t) {
  const Int rounds = first.rounds(shape);
  const Stage stage(first, second, shape, me, t < rounds);
  Round round;
  (t < rounds ? first : second).emit(round, shape, me, t < rounds ? t : t - rounds);
  for (Op& op : round.ops) {
    stage.move(op.blocks);
    for (Operand& operand : op.operands) stage.move(operand.local);
    const bool to_itself = op.what == Do::copy && op.operands.front().local == op.blocks;
    if (!to_itself) out.ops.push_back(std::move(op));
  }
}

Int composed_like(const Generator& first, const Generator& second, const Shape& shape, Int t) {
  const auto like = [&](const Generator& stage, Int round) {
    return stage.like != nullptr ? stage.like(shape, round) : round;
  };
  const Int rounds = first.rounds(shape);
  return t < rounds ? like(first, t) : rounds + like(second, t - rounds);
}

}  // namespace tutti::schedule::detail
