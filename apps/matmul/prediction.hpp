// SPDX-License-Identifier: BSD-3-Clause
// The supersteps of a product that has not been computed: (4.5) to (4.10) of the thesis (Krusche
// 2008) without their averages. Words and messages follow from the distributions; the time of a
// local product is measured for its shape, while all processes compute.
#pragma once

#include <functional>

#include "costs.hpp"
#include "product.hpp"

namespace matmul {

// Returns the seconds of a local product m x k times k x n.
using Rate = std::function<double(int m, int n, int k)>;

// `words` is the size of an element in words of 8 bytes.
std::vector<profile::Superstep> supersteps_by_blocks(const Sizes& sizes,
                                                     const BlocksOptions& options, int processes,
                                                     double words, const Rate& rate);
std::vector<profile::Superstep> supersteps_by_split(const Sizes& sizes, const Cube& cube,
                                                    int processes, double words, const Rate& rate);

// A process keeps so many elements of A, of B and of C while it multiplies, and so many products in
// a row add to the same block of C. Blocks that have not been used for long are no longer in the
// cache. A block that was just fetched is, so only kept elements count.
struct Kept {
  double left = 0, right = 0, result = 0;
  int additions = 1;
};
Kept kept_by_blocks(const Sizes& sizes, const BlocksOptions& options, int processes);

// Measures each shape once, while all processes multiply matrices of that shape. The operands
// change from product to product as far as a process keeps others. All processes call it with the
// same shapes in the same order.
template <class T>
Rate measured_rate(const Kept& kept = {});

}  // namespace matmul
