// SPDX-License-Identifier: BSD-3-Clause
// Where a buffer lies in the segment.
#pragma once

#include <cstdint>

#include "transport/shm/queue.hpp"

namespace tutti::transport::shm {

// A BufferHeader, which says how many bytes follow, and those. Offset 0: none.
struct BufferBlock {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

}  // namespace tutti::transport::shm
