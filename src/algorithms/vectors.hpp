// SPDX-License-Identifier: BSD-3-Clause
// Buffers of allgather and reduce_scatter, and lists of cyclic blocks, for all algorithms that cut
// the vector by rank.
#pragma once

#include <algorithm>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

inline schedule::Buffers allgather_buffers(const schedule::Shape& s) {
  return {.input = 1, .output = s.p, .parts = s.p, .input_own_part = true};
}
// Partial sums stand in scratch.
inline schedule::Buffers reduce_scatter_buffers(const schedule::Shape& s) {
  return {.input = s.p, .output = 1, .scratch = s.p, .parts = s.p, .output_own_part = true};
}

// `count` blocks from `first` on, cyclically modulo p; `first` may be any number.
inline schedule::Blocks cyclic(schedule::Buffer buffer, int first, int count, int p) {
  const int start = schedule::mod(first, p), before_end = std::min(count, p - start);
  schedule::Blocks blocks;
  if (before_end > 0) blocks.push_back({buffer, start, before_end});
  if (count > before_end) blocks.push_back({buffer, 0, count - before_end});
  return blocks;
}

}  // namespace tutti::algorithms
