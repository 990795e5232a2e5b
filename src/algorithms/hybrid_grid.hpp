// SPDX-License-Identifier: BSD-3-Clause
// The group as the hybrids (hybrid_steps.cpp) see it: members of a grid whose coordinates are the
// digits of the factors. If there are as many ranks as members, a rank is its member. A row is a
// group of the first factor. With fewer ranks, the last rank of each smaller row stands for the
// last two members of that row.
#pragma once

#include <array>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

class HybridGrid {
 public:
  // The shape must satisfy fits().
  explicit HybridGrid(const schedule::Shape& shape);
  static bool fits(const schedule::Shape& shape);

  int factors() const { return factors_; }
  int size(int factor) const { return digits_[static_cast<std::size_t>(factor)].size; }
  int digit(int member, int factor) const {
    const Digit& d = digits_[static_cast<std::size_t>(factor)];
    return member / d.stride % d.size;
  }
  int with_digit(int member, int factor, int value) const {
    return member +
           (value - digit(member, factor)) * digits_[static_cast<std::size_t>(factor)].stride;
  }
  // rank_of() is the rank that stands for a member. member_of() is the first member for which a
  // rank stands, and members_of() says for how many it stands.
  int rank_of(int member) const;
  int member_of(int rank) const;
  int members_of(int rank) const;
  // Number of ranks in the group of a member along a factor.
  int ranks_along(int member, int factor) const;
  bool same_rank(int member, int other) const { return rank_of(member) == rank_of(other); }

  // Returns the blocks of these members, numbered by rank: their coordinates equal those of
  // `member` for all factors before `factor`, lie in [first, last) for `factor`, and are arbitrary
  // for later factors.
  schedule::Blocks by_rank(schedule::Buffer buffer, int member, int factor, int first,
                           int last) const;

 private:
  struct Digit {
    int size = 1, stride = 1;
  };
  void append(schedule::Blocks& blocks, const schedule::Block& members) const;

  int factors_ = 0;
  std::array<Digit, 32> digits_{};
  int row_ = 1;        // members per row
  int full_rows_ = 0;  // rows before the smaller ones
  bool even_ = true;   // no row is smaller
};

}  // namespace tutti::algorithms
