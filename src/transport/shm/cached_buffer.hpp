// SPDX-License-Identifier: BSD-3-Clause
// Keeps the largest block of memory among the buffers that all readers have discarded (paper 000,
// 6.2.2: at most one ready buffer).
#pragma once

#include "transport/shm/buffer_block.hpp"
#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {

class CachedBuffer {
 public:
  // Takes over what a process that was killed in this slot has kept.
  CachedBuffer(const Mapping& mapping, int self);

  [[nodiscard]] bool fits(std::uint64_t bytes) const { return block_.bytes >= bytes; }
  // At least so many bytes; offset 0 at the job's limit.
  [[nodiscard]] BufferBlock take(std::uint64_t bytes);
  // Accepts a block that take() returned.
  void keep(const BufferBlock& block);
  // Frees it.
  void release();

 private:
  [[nodiscard]] BufferBlock take_kept();
  void free(const BufferBlock& block);

  const Mapping* mapping_;
  std::atomic<std::uint64_t>*
      record_;  // if this process is killed, the next one in its slot has the block
  Heap heap_;
  BufferBlock block_;
};

}  // namespace tutti::transport::shm
