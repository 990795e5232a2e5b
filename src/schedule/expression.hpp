// SPDX-License-Identifier: BSD-3-Clause
// Symbolic contents of blocks, for the verifier: ordered expression trees over the contributions of
// the ranks. Equal trees have equal numbers (hash-consing), so comparing results is comparing
// integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tutti::schedule {

using Value = int;
constexpr Value nothing = 0;

class Expressions {
 public:
  Expressions(int ranks, int parts) : ranks_(ranks), parts_(parts) {}

  // Returns the contribution of `rank` as part `part`.
  Value leaf(int rank, int part) const { return 1 + rank * parts_ + part; }
  Value sum(Value left, Value right);
  // Returns how many different sums there are.
  std::int64_t sums() const { return static_cast<std::int64_t>(sums_.size()); }
  // Returns the canonical tree over ranks 0 .. count-1, the reference for results that must be
  // reproducible. Adjacent pairs are folded until a power of two is left, which a balanced tree
  // then combines.
  Value canonical(int count, int part);

  // Returns how many leaves a tree has, or most_leaves if it has more. Trees that share subtrees
  // may have exponentially many, so ask before taking leaves().
  std::int64_t leaf_count(Value value) const;
  static constexpr std::int64_t most_leaves = std::int64_t{1} << 61;
  // Returns the leaves of a tree from left to right.
  std::vector<Value> leaves(Value value) const;
  // Returns the two terms of a sum; nothing for a leaf.
  std::optional<std::pair<Value, Value>> terms_of(Value value) const {
    if (is_leaf(value)) return std::nullopt;
    return terms(value);
  }
  int rank_of(Value leaf) const { return (leaf - 1) / parts_; }
  int part_of(Value leaf) const { return (leaf - 1) % parts_; }

  // Returns a number that tells trees apart and is the same in every run and build.
  std::uint64_t fingerprint(Value value) const;

  // Returns a tree as text. Leaves are written rank.part, or only rank where there is one part.
  // Long trees are cut short.
  std::string to_text(Value value) const;

 private:
  bool is_leaf(Value value) const { return value < first_sum(); }
  Value first_sum() const { return 1 + ranks_ * parts_; }
  const std::pair<Value, Value>& terms(Value sum) const {
    return sums_[static_cast<std::size_t>(sum - first_sum())];
  }
  void append(std::string& text, Value value) const;
  // Returns the place of a sum in `slots_`: that of an equal sum, or a free one.
  std::size_t place_of(Value left, Value right) const;
  void enlarge();

  int ranks_;
  int parts_;
  std::vector<std::pair<Value, Value>> sums_;
  std::vector<std::uint64_t> fingerprints_;  // one per entry of sums_
  std::vector<std::int64_t> leaf_counts_;    // one per entry of sums_
  // The sums by their terms: a hash table with open addressing, a power of two of slots, of which
  // at most half are taken. A free slot holds `nothing`.
  std::vector<Value> slots_;
};

}  // namespace tutti::schedule
