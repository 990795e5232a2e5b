// SPDX-License-Identifier: BSD-3-Clause
// A piece of shared memory with records, which one process writes and others read where it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "window.hpp"

namespace tutti::bsp {

// In front of the records. The next block is named as its writer names it.
struct StreamBlock {
  std::uint64_t next = 0;
  std::uint64_t used = 0;   // bytes of records behind this header
  std::uint64_t items = 0;  // of the whole stream, in its first block
  std::uint64_t bytes = 0;  // of payload, likewise

  [[nodiscard]] std::byte* records() { return reinterpret_cast<std::byte*>(this + 1); }
  [[nodiscard]] const std::byte* records() const {
    return reinterpret_cast<const std::byte*>(this + 1);
  }
};

// As its writer has it.
struct OwnBlock {
  StreamBlock* block = nullptr;
  std::uint64_t name = 0;
  std::size_t capacity = 0;   // bytes of records
  Window<StreamBlock> owner;  // empty: it lies in the memory in which blocks take turns
};

}  // namespace tutti::bsp
