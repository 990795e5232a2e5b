// SPDX-License-Identifier: BSD-3-Clause
// The data of the vector kernels, and the tables of those that are compiled. planes.cpp fills the
// data and calls the kernels.
//
// The words of a column depend on each other by their carries. So each lane is one character of x
// behind the lane of the word above it: when it needs that word's carry, the carry was computed a
// step before. The bits of M(x) are not looked up but computed from bit planes. Plane b holds bit b
// of the codes of y. A bit of M is 1 where all planes are equal to the bits of the code of x.
#pragma once

#include <cstddef>
#include <cstdint>

namespace llcs {

constexpr std::size_t most_planes = 4;
constexpr std::size_t most_lanes = 32;

// A part of x, with a place for each character and places in front and behind, where no lane finds
// a match.
struct Chunk {
  static constexpr std::size_t most = 4096;  // characters, so that it lies in a second-level cache
  static constexpr std::size_t places = most + 2 * most_lanes;

  std::size_t size;
  // The first character has place most_lanes.
  std::uint64_t bits[most_planes][places];  // all bits of a place are bit b of its character
  std::uint64_t inside[places];             // all ones for a character, else 0
  std::uint64_t carries[places];            // 0 or 1
};

// The words that are computed together. The word that comes first has the last lane. Where fewer
// words than lanes are left, the lanes before them hold ones that match nothing: they pass the
// carries on.
struct Lanes {
  std::uint64_t right[most_lanes];
  std::uint64_t inside[most_lanes];  // a 1 for each character
  std::uint64_t planes[most_planes][most_lanes];
};

// Computes the words of the lanes along the chunk.
using RunLanes = void (*)(Lanes& lanes, Chunk& chunk);

struct VectorKernel {
  const char* name;
  std::size_t lanes;             // of one vector
  RunLanes run[3][most_planes];  // with 1, 2 and 4 vectors; by the number of planes less 1
};

const VectorKernel& avx2_kernel();
const VectorKernel& avx512_kernel();

}  // namespace llcs
