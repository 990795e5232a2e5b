// SPDX-License-Identifier: BSD-3-Clause
// Handing out and taking back the chunks of a send arena.
#include "transport/shm/arena.hpp"

#include <limits>

#include "base/error.hpp"

namespace tutti::transport::shm {

void Arena::attach() {
  auto& shared = mapping_->endpoint(self_).arena;
  base_ = shared.load();
  if (base_ != 0) return;
  const auto offset = Heap(*mapping_).allocate(bytes);
  if (!offset) {
    base::fail(base::Status::out_of_memory,
               "no shared memory for the send ring of endpoint {} ({} MiB): raise TUTTI_SHM_LIMIT or start fewer ranks",
               self_, bytes >> 20);
  }
  base_ = *offset;
  shared.store(base_);
}

void Arena::reclaim(int most) {
  for (; most > 0 && tail_ < head_ && distance_.load(at(tail_)->readers) == 0; --most) {
    const ChunkHeader& chunk = *at(tail_);
    if (chunk.timed) {
      ways_.learn(chunk.span - static_cast<std::uint32_t>(sizeof chunk), chunk.past_caches,
                  std::chrono::nanoseconds(chunk.took));
    }
    tail_ += chunk.span;
  }
}

Ways::Choice Arena::choose(std::uint32_t wanted, std::uint32_t readers) {
  if (!distance_.is_far()) return {false, false};
  if (wanted > Ways::longest) return {true, false};
  Ways::Choice choice = ways_.next(wanted);
  choice.timed = choice.timed && readers == 1;
  return choice;
}

ChunkHeader* Arena::acquire(std::uint32_t wanted, std::uint32_t readers) {
  if (base_ == 0) attach();
  const std::uint64_t span = sizeof(ChunkHeader) + (wanted + line_bytes - 1) / line_bytes * line_bytes;
  const std::uint64_t to_end = bytes - head_ % bytes;
  const std::uint64_t skipped = to_end < span ? to_end : 0;
  // A few at a time: all at once, when the ring is full, would stall one message in thousands for a millisecond.
  reclaim(3);
  if (head_ + skipped + span - tail_ > bytes) {
    reclaim(std::numeric_limits<int>::max());
    if (head_ + skipped + span - tail_ > bytes) return nullptr;
  }
  if (skipped != 0) {  // a chunk is contiguous: what is left at the end becomes an empty one
    ChunkHeader* filler = at(head_);
    filler->span = static_cast<std::uint32_t>(skipped);
    filler->timed = false;
    filler->readers.store(0, std::memory_order_relaxed);
    head_ += skipped;
  }
  ChunkHeader* chunk = at(head_);
  chunk->span = static_cast<std::uint32_t>(span);
  const Ways::Choice way = choose(wanted, readers);
  chunk->past_caches = way.past_caches;
  chunk->timed = way.timed;
  if (way.timed) chunk->took = -nanoseconds_now();
  chunk->readers.store(readers, std::memory_order_relaxed);
  head_ += span;
  return chunk;
}

}  // namespace tutti::transport::shm
