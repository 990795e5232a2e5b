// SPDX-License-Identifier: BSD-3-Clause
// Counts the blocks in lists of blocks.
#pragma once

#include <cstdint>

#include "schedule/program.hpp"

namespace tutti::schedule {

[[nodiscard]] inline std::int64_t block_count(const Blocks& blocks) {
  std::int64_t count = 0;
  for (const Block& block : blocks) count += std::int64_t{block.count} * block.times;
  return count;
}

}  // namespace tutti::schedule
