// SPDX-License-Identifier: BSD-3-Clause
// Holds two things that proofs for every p need to know of a generator: an invariant, and how the
// generator was made from others. The program that proves (study/prove/) runs both; tests check the
// invariants on numbers.
#pragma once

#include "schedule/program.hpp"

namespace tutti::schedule {

struct Shape;
struct Generator;

// Says where a rank holds one part of the vector before a round. Where data moves, it holds the
// data. In a barrier, parts are ranks, and it holds the news that one has arrived. In reductions,
// it holds a sum that still counts. If the generator keeps the rank order, the sum is that of the
// ranks low .. high - 1 in their order. Otherwise it is of any ranks, but no two ranks hold sums of
// the same part that contain the same rank. In an alltoall a rank has other
// parts. Part i < p is its block for another rank i. Part p + i is the block for it from rank i,
// which may be the rank itself.
struct Held {
  Truth any = false;  // false if the rank holds nothing, or nothing that is used any more
  Buffer buffer = Buffer::output;
  Int index = 0;
  Int low = 0;
  Int high = 0;
};

inline Held held(Buffer buffer, Int index) {
  return {.any = true, .buffer = buffer, .index = index};
}
inline Held held_sum(Buffer buffer, Int index, Int low, Int high) {
  return {.any = true, .buffer = buffer, .index = index, .low = low, .high = high};
}
inline Held nothing_held() {
  return {};
}

struct Invariant {
  // Returns what `me` holds of the part before round t; t = rounds(shape) is the end.
  Held (*held)(const Shape&, Rank me, Int t, Int part) = nullptr;
  // A fact about round t that the proof uses, and the name of its own proof.
  Truth (*fact)(const Shape&, Int t) = nullptr;
  const char* lemma = "";
};

// A renumbering of the ranks that may depend on the shape: from the rank of the group to the number
// the generator uses, or back.
using RankMap = Int (*)(const Shape&, Int);

enum class Transform { none, reverse, map_ranks, then, pipelined, without_data };

// Says by which transform (transforms.hpp) a generator was made, and from which ones.
struct Derivation {
  Transform by = Transform::none;
  const Generator* first = nullptr;
  const Generator* second = nullptr;  // then() alone has two
  RankMap to_number = nullptr, to_rank = nullptr;
};

}  // namespace tutti::schedule
