// SPDX-License-Identifier: BSD-3-Clause
// The symbolic content of a block: an ordered expression tree over the contributions of the ranks.
// Equal trees have equal numbers (hash-consing), so results are compared by comparing integers.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tutti::schedule {

using Value = int;
constexpr Value nothing = 0;

class Expressions {
 public:
  Expressions(int ranks, int parts) : ranks_(ranks), parts_(parts) {}

  // Returns the contribution of `rank` to part `part`.
  Value leaf(int rank, int part) const { return 1 + rank * parts_ + part; }
  Value sum(Value left, Value right);
  // The tree of reference over ranks 0 .. count-1: adjacent pairs are folded until a power of two
  // is left, which a balanced tree then combines.
  Value canonical(int count, int part);

  // The leaves from left to right.
  std::vector<Value> leaves(Value value) const;
  int rank_of(Value leaf) const { return (leaf - 1) / parts_; }
  int part_of(Value leaf) const { return (leaf - 1) % parts_; }

  // A number that tells trees apart and is the same in every run and build.
  std::uint64_t fingerprint(Value value) const;

  // Leaves are written rank.part, or only rank where there is one part. Long trees are cut.
  std::string to_text(Value value) const;

 private:
  bool is_leaf(Value value) const { return value < first_sum(); }
  Value first_sum() const { return 1 + ranks_ * parts_; }
  const std::pair<Value, Value>& terms(Value sum) const {
    return sums_[static_cast<std::size_t>(sum - first_sum())];
  }
  void append(std::string& text, Value value) const;

  int ranks_;
  int parts_;
  std::vector<std::pair<Value, Value>> sums_;
  std::vector<std::uint64_t> fingerprints_;  // one for each of sums_
  std::unordered_map<std::uint64_t, Value> known_;
};

}  // namespace tutti::schedule
