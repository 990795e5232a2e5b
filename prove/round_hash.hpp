// SPDX-License-Identifier: BSD-3-Clause
// A number that tells rounds apart. The bridge test compares those of the prover's build with those
// of the product's, so both compile this header.
#pragma once

#include <cstdint>

#include "schedule/program.hpp"

namespace tutti::prove {

// `number_of` turns an Int into a number.
template <class NumberOf>
class RoundHash {
 public:
  explicit RoundHash(NumberOf number_of) : number_of_(number_of) {}

  void add(const schedule::Round& round) {
    add(static_cast<std::int64_t>(round.ops.size()));
    for (const schedule::Op& op : round.ops) {
      add(static_cast<std::int64_t>(op.what));
      add(op.blocks);
      for (const schedule::Int& number : {op.to.first, op.to.count, op.to.stride, op.to.except})
        add(number_of_(number));
      add(static_cast<std::int64_t>(op.operands.size()));
      for (const schedule::Operand& operand : op.operands) {
        add(number_of_(num(operand.from)));
        add(operand.local);
      }
    }
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  void add(std::int64_t number) {
    hash_ = (hash_ ^ static_cast<std::uint64_t>(number)) * 0x100000001b3U;
    hash_ ^= hash_ >> 29;
  }
  void add(const schedule::Blocks& blocks) {
    add(static_cast<std::int64_t>(blocks.size()));
    for (const schedule::Block& block : blocks) {
      add(static_cast<std::int64_t>(block.buffer));
      for (const schedule::Int& number : {block.first, block.count, block.stride, block.times})
        add(number_of_(number));
    }
  }

  NumberOf number_of_;
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

}  // namespace tutti::prove
