// SPDX-License-Identifier: BSD-3-Clause
// One round of a hybrid (hybrid.cpp) on one rank: one step of a tree or of a ring along one factor.
#pragma once

#include <cstdint>

#include "algorithms/hybrid_grid.hpp"

namespace tutti::algorithms {

// The communication along one factor. Broadcast, combine, scatter and gather are trees from or to
// the member with the root's digit. Broadcast and combine move what the long factors leave of the
// vector; scatter and gather move what the factors up to this one leave. Collect and its reverse,
// the distributed combine, are rings.
enum class HybridStep : std::uint8_t { broadcast, combine, scatter, gather, collect, distribute };

constexpr bool is_ring(HybridStep step) {
  return step == HybridStep::collect || step == HybridStep::distribute;
}

// The position of a round in a hybrid: it is round `t` of the step along `factor`.
struct Place {
  HybridStep step;
  int factor, t;
};

// Emits the rounds of one call of a hybrid. It holds what is the same in all of them: the grid, and
// the buffer in which the vector stands.
class Hybrid {
 public:
  // If `cut_by_rank` is true, blocks are numbered by the rank they belong to. Otherwise they are
  // numbered in the order in which the long factors cut the vector.
  Hybrid(const schedule::Shape& shape, schedule::Buffer vector, bool cut_by_rank);

  void emit(schedule::Round& out, const Place& place, int rank) const;
  // Returns true if the input of `rank` must be copied into the vector before the first step.
  // Otherwise a bucket brings a sum, and the input is combined with that.
  bool copies_input(int rank) const;

 private:
  struct Ring;

  void emit_member(schedule::Round& out, const Place& place, int member) const;
  schedule::Blocks part(schedule::Buffer buffer, int member, int factor, int first, int last) const;
  schedule::Blocks bucket(schedule::Buffer buffer, const Ring& ring, int bucket) const;
  bool takes_part(const Place& place, int member) const;
  void tree(schedule::Round& out, const Place& place, int member) const;
  void collect(schedule::Round& out, const Place& place, int member) const;
  void distribute(schedule::Round& out, const Place& place, int member) const;

  const schedule::Shape& shape_;
  HybridGrid grid_;
  int root_;
  schedule::Buffer vector_;
  bool by_rank_;
};

}  // namespace tutti::algorithms
