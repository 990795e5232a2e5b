// SPDX-License-Identifier: BSD-3-Clause
// Emits what a rank does in one round of a hybrid: one step of a tree or of a ring along one
// factor.
#pragma once

#include <cstdint>

#include "algorithms/hybrid_grid.hpp"

namespace tutti::algorithms {

// A step along one factor. Trees go from or to the member with the root's digit: broadcast and
// combine move the rest of the vector that the long factors leave, scatter and gather the rest that
// the factors up to this one leave. Rings collect, or distribute and combine, which is the reverse.
enum class HybridStep : std::uint8_t { broadcast, combine, scatter, gather, collect, distribute };

constexpr bool is_ring(HybridStep step) {
  return step == HybridStep::collect || step == HybridStep::distribute;
}

// The position of a round in a hybrid: it is round `t` of the step along `factor`.
struct Place {
  HybridStep step;
  int factor, t;
};

// How the vector is cut into parts: one for each rank, or one for each product of long factors.
enum class VectorCut { by_rank, by_long_factors };

// The grid and the buffer of the vector, which stay the same during a whole call.
class Hybrid {
 public:
  // With VectorCut::by_rank, blocks are numbered by the rank they belong to; otherwise in the order
  // in which the long factors cut.
  Hybrid(const schedule::Shape& shape, schedule::Buffer vector, VectorCut cut);

  void emit(schedule::Round& out, const Place& place, int rank) const;
  // Returns true if `rank` must copy its input into the vector before the first step. If the first
  // step is a ring of more than one rank, no copy is needed: the ring combines what it receives
  // with the input itself.
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
