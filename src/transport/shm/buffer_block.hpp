// SPDX-License-Identifier: BSD-3-Clause
// A send buffer's place in the segment, as the mail's memory managers hand it around.
#pragma once

#include <cstdint>

#include "transport/shm/send_buffers.hpp"

namespace tutti::transport::shm {

// A block that holds a BufferHeader and `bytes` bytes after it. Offset 0 is no block. `record`
// shows a block of the heap to the other processes; nullptr for a block in the send ring.
struct BufferBlock {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  Shared<std::uint64_t>* record = nullptr;
};

}  // namespace tutti::transport::shm
