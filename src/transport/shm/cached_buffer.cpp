// SPDX-License-Identifier: BSD-3-Clause
// The kept block serves every buffer for which it is large enough; else it is freed.
#include "transport/shm/cached_buffer.hpp"

#include <utility>

namespace tutti::transport::shm {

CachedBuffer::CachedBuffer(const Mapping& mapping, int self)
    : mapping_(&mapping), record_(&mapping.endpoint(self).cached_buffer), heap_(mapping) {
  const std::uint64_t offset = record_->load(std::memory_order_relaxed);
  if (offset != 0) block_ = {offset, mapping.at<BufferHeader>(offset)->bytes};
}

BufferBlock CachedBuffer::take(std::uint64_t bytes) {
  const BufferBlock kept = take_kept();
  if (kept.bytes >= bytes) return kept;
  free(kept);
  const auto offset = heap_.allocate(sizeof(BufferHeader) + bytes);
  if (!offset) return {};
  auto* header = mapping_->at<BufferHeader>(*offset);
  header->bytes = bytes;
  header->in_ring = 0;
  return {*offset, bytes};
}

BufferBlock CachedBuffer::take_kept() {
  record_->store(0, std::memory_order_relaxed);
  return std::exchange(block_, {});
}

void CachedBuffer::keep(const BufferBlock& block) {
  if (block.bytes <= block_.bytes) return free(block);
  record_->store(block.offset, std::memory_order_relaxed);
  free(std::exchange(block_, block));
}

void CachedBuffer::release() {
  free(take_kept());
}

void CachedBuffer::free(const BufferBlock& block) {
  if (block.offset != 0) heap_.free(block.offset, sizeof(BufferHeader) + block.bytes);
}

}  // namespace tutti::transport::shm
