// SPDX-License-Identifier: BSD-3-Clause
// Keeps one idle block for send buffers: the largest of those that all readers have discarded
// (paper 000, 6.2.2: at most one ready buffer). ShmMail uses it for buffers outside the send ring.
#pragma once

#include "transport/shm/buffer_block.hpp"
#include "transport/shm/buffer_records.hpp"
#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {

class CachedBuffer {
 public:
  CachedBuffer(const Mapping& mapping, int self)
      : mapping_(&mapping), heap_(mapping), records_(mapping, mapping.endpoint(self).buffers) {}

  [[nodiscard]] bool fits(std::uint64_t bytes) const { return block_.bytes >= bytes; }
  // Returns a block of at least `bytes` bytes, with offset 0 at the job's limit.
  [[nodiscard]] BufferBlock take(std::uint64_t bytes);
  // Gives back a block that take() returned.
  void keep(const BufferBlock& block);
  // Frees the kept block.
  void release();

 private:
  void free(const BufferBlock& block);

  const Mapping* mapping_;
  Heap heap_;
  BufferRecords records_;  // of all blocks that were taken and not freed
  BufferBlock block_;
};

}  // namespace tutti::transport::shm
