// SPDX-License-Identifier: BSD-3-Clause
// An algorithm is three pure functions of the shape. Engine, verifier, cost counter and simulator
// all take a Generator, so none of them needs to know which algorithms exist.
#pragma once

#include <cstdint>

#include "schedule/invariant.hpp"
#include "schedule/operation.hpp"
#include "schedule/program.hpp"

namespace tutti::schedule {

// The arguments of a generator, which are equal on all ranks.
struct Shape {
  Int p = 1;
  Int root = 0;      // rooted operations only
  Int branches = 1;  // N_b of the general tree; the radix less one in Bruck's exchange
  Int rings = 1;     // N_r of the multiring
  Int segments = 1;  // K of the pipelined transforms
  // Their product is p (hybrids); or radices or partitions of exchanges, or sizes of hosts.
  FactorList factors{};
  Int cut = 0;  // hybrids: the first `cut` factors use long algorithms, the others short ones
};

// Tells which of the arguments beyond p and root a generator reads. `sizes` are factors whose sum
// is p.
enum class Parameter : std::uint8_t {
  none,
  branches,
  rings,
  segments,
  factors,
  factors_and_cut,
  sizes
};

// The number of block indices of each buffer, and how the vector is cut.
//
// The vector of n elements is cut into `parts` consecutive parts. Block i of a buffer has the size
// of part i mod parts and lies at (i div parts) * n + (start of part i mod parts). So parts = 1
// makes every block a whole vector.
//
// A buffer may hold a rank's own parts and nothing else (`own_part`: the input of allgather and
// gather, the output of scatter and reduce_scatter). It has parts/p blocks, and its block i has the
// size of part rank*parts/p + i.
//
// The buffers hold, by operation (V = the whole vector, `parts` blocks; own = own_part):
//   `barrier`: no blocks; messages carry empty block lists.
//   `broadcast`: output V, at the root holding the data before the start; no input.
//   `reduce`: input V, output V at the root only; no other rank writes output, none writes input.
//   `allreduce`, `alltoall`, `scan`, `exscan`: input V, output V.
//   `scatter`: input V at the root only (parts = p), output own.
//   `gather`: input own, output V at the root only (parts = p).
//   `allgather`: input own, output V.
//   `reduce_scatter`: input V, output own.
struct Buffers {
  Int input = 0;
  Int output = 0;
  Int scratch = 0;
  Int parts = 1;
  bool input_own_part = false;
  bool output_own_part = false;

  [[nodiscard]] Int blocks_of(Buffer buffer) const {
    return buffer == Buffer::input ? input : buffer == Buffer::output ? output : scratch;
  }
};

// Number of blocks per rank where the vector is cut by rank.
inline Int parts_per_rank(const Shape& shape, const Buffers& buffers) {
  return buffers.parts / shape.p;
}

// The operators a schedule combines with. `commutative` where the operands are not combined in the
// order of their ranks; such a schedule serves commutative operators only.
enum class Operators { any, commutative };

struct Generator {
  const char* name;
  Operation operation;
  Int (*rounds)(const Shape&);
  Buffers (*buffers)(const Shape&);
  // Appends what rank `me` does in round t, 0 <= t < rounds(shape). Takes O(log p) work beyond the
  // output it produces.
  void (*emit)(Round&, const Shape&, Rank me, Int t);
  // Returns true if the generator serves the shape; p >= 1 and 0 <= root < p always hold.
  bool (*applies)(const Shape&);
  Operators operators;
  Parameter parameter = Parameter::none;
  const char* aliases = "";  // other names, from papers and other libraries, one space between
  bool in_place = true;      // serves calls whose input and output are the same memory
  Invariant invariant = {};  // for the proof for every p
  Derivation made = {};
  // All ranks do as much as each other in each round of each shape, so that the work of one rank
  // tells that of all (host_counts.hpp).
  bool alike = false;
  // Returns a round whose messages, combined blocks and copied blocks are those of round t, rank by
  // rank, so that one round tells the cost of many. Asked for that round, it returns it again.
  // Null if no two rounds are said to be the same.
  Int (*like)(const Shape&, Int t) = nullptr;

  [[nodiscard]] constexpr bool commutative_only() const {
    return operators == Operators::commutative;
  }
};

// Returns the generator with the invariant that its proof needs.
constexpr Generator with_invariant(Generator generator, Invariant invariant) {
  generator.invariant = invariant;
  return generator;
}
// Returns the generator with the statement that all its ranks work alike.
constexpr Generator with_ranks_alike(Generator generator) {
  generator.alike = true;
  return generator;
}
// Returns the generator with the statement which of its rounds are the same.
constexpr Generator with_like(Generator generator, Int (*like)(const Shape&, Int)) {
  generator.like = like;
  return generator;
}
// Returns the generator with a note of how it was made.
constexpr Generator with_derivation(Generator generator, Derivation made) {
  generator.made = made;
  return generator;
}

}  // namespace tutti::schedule
