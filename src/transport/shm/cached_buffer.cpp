// SPDX-License-Identifier: BSD-3-Clause
// The kept block serves every buffer for which it is large enough; else it is freed.
#include "transport/shm/cached_buffer.hpp"

#include <utility>

namespace tutti::transport::shm {

BufferBlock CachedBuffer::take(std::uint64_t bytes) {
  if (block_.bytes >= bytes) return std::exchange(block_, {});
  release();
  const auto offset = heap_.allocate(sizeof(BufferHeader) + bytes);
  if (!offset) return {};
  auto* header = mapping_->at<BufferHeader>(*offset);
  header->bytes = bytes;
  header->in_ring = 0;
  header->readers.put(0);
  header->untold.put(0);
  Shared<std::uint64_t>* const record = records_.add(*offset);
  if (record != nullptr) return {*offset, bytes, record};
  heap_.free(*offset, sizeof(BufferHeader) + bytes);
  return {};
}

void CachedBuffer::keep(const BufferBlock& block) {
  if (block.bytes <= block_.bytes) return free(block);
  free(std::exchange(block_, block));
}

void CachedBuffer::release() {
  free(std::exchange(block_, {}));
}

void CachedBuffer::free(const BufferBlock& block) {
  if (block.offset == 0) return;
  records_.remove(block.record);
  heap_.free(block.offset, sizeof(BufferHeader) + block.bytes);
}

}  // namespace tutti::transport::shm
