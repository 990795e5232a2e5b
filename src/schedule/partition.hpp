// SPDX-License-Identifier: BSD-3-Clause
// Cuts a vector into blocks (generator.hpp, Buffers): a table of parts + 1 element numbers, the
// cuts, says which elements a block holds. Engine and simulator cut alike, because both use this
// file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "schedule/generator.hpp"

namespace tutti::schedule {

// Returns where piece i of `pieces` begins when n elements are cut evenly. The first n mod `pieces`
// pieces are one element longer.
constexpr std::int64_t even_cut(std::int64_t n, std::int64_t pieces, std::int64_t i) {
  return i * (n / pieces) + std::min(i, n % pieces);
}

// Returns true if every rank has its own consecutive parts, so that its number of elements can be
// given by a `count_of(rank)`. In a complete exchange the parts of a rank are what it gets or
// gives.
constexpr bool cut_by_rank(Operation operation, const Buffers& buffers) {
  return buffers.input_own_part || buffers.output_own_part || operation == Operation::alltoall;
}

inline void cut_evenly(std::span<std::int64_t> cuts, std::int64_t n) {
  const auto parts = static_cast<std::int64_t>(cuts.size()) - 1;
  for (std::int64_t i = 0; i <= parts; ++i)
    cuts[static_cast<std::size_t>(i)] = even_cut(n, parts, i);
}

// Cuts the elements of each rank, count_of(rank) of them, evenly into its parts.
template <class CountOf>
void cut_for_ranks(std::span<std::int64_t> cuts, int p, CountOf&& count_of) {
  const std::int64_t pieces = (static_cast<std::int64_t>(cuts.size()) - 1) / p;
  std::int64_t start = 0;
  auto next = cuts.begin();
  for (int rank = 0; rank < p; ++rank) {
    const std::int64_t count = count_of(rank);
    for (std::int64_t i = 0; i < pieces; ++i) *next++ = start + even_cut(count, pieces, i);
    start += count;
  }
  *next = start;
}

// Returns the element at which a block begins. Blocks beyond the parts are further copies of the
// vector.
inline std::int64_t block_offset(std::span<const std::int64_t> cuts, int block) {
  const int parts = static_cast<int>(cuts.size()) - 1;
  return block / parts * cuts.back() + cuts[static_cast<std::size_t>(block % parts)];
}

// Returns the element at which a block begins in a buffer that holds only the parts of one rank,
// from part `first` on.
inline std::int64_t own_block_offset(std::span<const std::int64_t> cuts, int first, int block) {
  return cuts[static_cast<std::size_t>(first + block)] - cuts[static_cast<std::size_t>(first)];
}

}  // namespace tutti::schedule
