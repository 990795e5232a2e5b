// SPDX-License-Identifier: BSD-3-Clause
// A number that tells rounds apart. The bridge test compares those of the prover's build with those
// of the product's, so both compile this header.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "schedule/program.hpp"

namespace tutti::prove {

// The numbers of ranks for which the two are compared, and the roots. From 18 ranks on, all of them
// would be too many.
constexpr int all_up_to = 17;

inline std::vector<int> compared_ranks(int most) {
  std::vector<int> numbers;
  for (int p = 1; p <= std::min(most, all_up_to); ++p) numbers.push_back(p);
  for (const int p : {24, 31, 32, 33, 48, 63, 64})
    if (p <= most) numbers.push_back(p);
  return numbers;
}
inline std::vector<int> compared_roots(int p, bool has_root) {
  if (!has_root) return {0};
  if (p > all_up_to) return {0, 1, p / 2, p - 1};
  std::vector<int> roots;
  for (int root = 0; root < p; ++root) roots.push_back(root);
  return roots;
}

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
