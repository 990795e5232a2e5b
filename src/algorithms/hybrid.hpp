// SPDX-License-Identifier: BSD-3-Clause
// How Shape::factors describes a mesh to the hybrid generators (hybrid.cpp), with functions that
// encode and decode one factor.
//
// Factors are listed in the order in which they split the group; their product is p. On a line,
// factor i splits groups of ranks whose distance is the product of the factors before it: {4, 8}
// makes groups of four neighbours and groups of eight ranks four apart.
//
// On a mesh a factor also says which dimension it splits: 0 along the rows, where neighbours have
// consecutive ranks, 1 along the columns, and so on. The distance is then the product of the
// earlier factors of its own dimension and of all factors of lower dimensions. So dimensions only
// say which digit of the rank has which weight; the algorithm is the same.
//
// A list for one dimension may also have a product above p, so that any p can be split. The first
// factor f then makes groups of f and of f - 1 ranks, the larger ones first. The last rank of a
// smaller group stands for two members. This needs product - p < product / f.
#pragma once

namespace tutti::algorithms {

constexpr int dimension_bits = 24;

// Returns the entry of Shape::factors for a factor of a mesh. In dimension 0 the entry is the size
// itself.
constexpr int along(int dimension, int size) {
  return (dimension << dimension_bits) | size;
}
constexpr int dimension_of(int factor) {
  return factor >> dimension_bits;
}
constexpr int size_of(int factor) {
  return factor & ((1 << dimension_bits) - 1);
}

}  // namespace tutti::algorithms
