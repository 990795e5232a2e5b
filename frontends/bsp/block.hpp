// SPDX-License-Identifier: BSD-3-Clause
// A block is shared memory with records that one process writes and others read in place. Streams
// consist of blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "window.hpp"

namespace tutti::bsp {

// The header before the records. `next` is the name of the next block among its writer's windows.
struct StreamBlock {
  std::uint64_t next = 0;
  std::uint64_t used = 0;   // bytes of records after this header
  std::uint64_t items = 0;  // records of the whole stream, in its first block
  std::uint64_t bytes = 0;  // payload bytes of the whole stream, in its first block

  [[nodiscard]] std::byte* records() { return reinterpret_cast<std::byte*>(this + 1); }
  [[nodiscard]] const std::byte* records() const {
    return reinterpret_cast<const std::byte*>(this + 1);
  }
};

// A block as its writer knows it.
struct OwnBlock {
  StreamBlock* block = nullptr;
  std::uint64_t name = 0;
  std::size_t capacity = 0;  // bytes of records
  Window<StreamBlock> owner;
};

}  // namespace tutti::bsp
