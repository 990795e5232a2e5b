// SPDX-License-Identifier: BSD-3-Clause
// Helpers for algorithms whose vector is cut by rank: the buffers of scatter, allgather and
// reduce_scatter, and lists of blocks that continue with block 0 after block p-1.
#pragma once

#include <algorithm>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

// Scratch holds the blocks that a rank passes on.
inline schedule::Buffers tree_scatter_buffers(const schedule::Shape& s) {
  return {.input = s.p, .output = 1, .scratch = s.p, .parts = s.p, .output_own_part = true};
}
inline schedule::Buffers allgather_buffers(const schedule::Shape& s) {
  return {.input = 1, .output = s.p, .parts = s.p, .input_own_part = true};
}
// Scratch holds the partial sums.
inline schedule::Buffers reduce_scatter_buffers(const schedule::Shape& s) {
  return {.input = s.p, .output = 1, .scratch = s.p, .parts = s.p, .output_own_part = true};
}

// Returns `count` blocks from index `first` on, cyclically modulo p. `first` may be any number.
inline schedule::Blocks cyclic(schedule::Buffer buffer, schedule::Int first, schedule::Int count,
                               schedule::Int p) {
  const schedule::Int start = schedule::mod(first, p),
                      before_end = std::min<schedule::Int>(count, p - start);
  schedule::Blocks blocks;
  if (before_end > 0) blocks.push_back({buffer, start, before_end});
  if (count > before_end) blocks.push_back({buffer, 0, count - before_end});
  return blocks;
}

}  // namespace tutti::algorithms
