// SPDX-License-Identifier: BSD-3-Clause
// Finds a longest common subsequence itself, in space linear in the strings (Hirschberg, 1975). It
// cuts x in the middle. The lengths for both halves, from the bit-parallel kernel, tell where to
// cut y. Both pairs of halves are then solved in the same way.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bit_parallel.hpp"

namespace llcs {

// Returns the codes of a longest common subsequence. It takes up to twice the time of its length.
// Calls tell(part) now and then, with the part of that time, from 0 to 1.
template <class Code>
std::vector<Code> longest_subsequence(std::span<const Code> x, std::span<const Code> y,
                                      BitKernel<Code>& kernel,
                                      const std::function<void(double)>& tell);

}  // namespace llcs
