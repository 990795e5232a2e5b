// SPDX-License-Identifier: BSD-3-Clause
// When a wait has lasted long enough, and what then comes from the heap.
#include "transport/shm/overflow.hpp"

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {
namespace {

// Longer than a reader takes that is only slow, or has to wait for a processor among many.
constexpr std::chrono::milliseconds patience{250};

}  // namespace

void Overflow::look_at_clock() {
  const auto now = Clock::now();
  if (arena_->tail() != tail_ || since_ == Clock::time_point{}) {
    tail_ = arena_->tail();
    since_ = now;
  }
  opened_ = now - since_ > patience;
}

ChunkHeader* Overflow::acquire(std::uint32_t wanted, std::uint32_t readers) {
  refused_ = true;
  if (!opened_ || arena_->tail() != tail_) return nullptr;
  reclaim();
  const std::size_t bytes = sizeof(ChunkHeader) + wanted;
  const auto offset = Heap(*mapping_).allocate(bytes);
  if (!offset) return nullptr;
  chunks_.push_back({*offset, bytes});
  auto* chunk = mapping_->at<ChunkHeader>(*offset);
  chunk->span = 0;
  chunk->past_caches = chunk->timed = false;
  chunk->readers.store(readers, std::memory_order_relaxed);
  return chunk;
}

void Overflow::reclaim() {
  std::erase_if(chunks_, [this](const Taken& taken) {
    if (mapping_->at<ChunkHeader>(taken.offset)->readers.load(std::memory_order_acquire) != 0) return false;
    Heap(*mapping_).free(taken.offset, taken.bytes);
    return true;
  });
}

}  // namespace tutti::transport::shm
