// SPDX-License-Identifier: BSD-3-Clause
// Hands out and reclaims the fragments of a send arena.
#include "transport/shm/send_arena.hpp"

#include "base/error.hpp"

namespace tutti::transport::shm {

void SendArena::attach() {
  auto& shared = mapping_->endpoint(self_).arena;
  base_ = shared.see();
  if (base_ != 0) return;
  const auto offset = Heap(*mapping_).allocate(bytes_);
  if (!offset) {
    base::fail(base::Status::out_of_memory,
               "no shared memory for the send arena of endpoint {} ({} KiB): raise TUTTI_SHM_LIMIT "
               "or start fewer ranks",
               self_, bytes_ >> 10);
  }
  base_ = *offset;
  shared.publish(base_);
}

void SendArena::learn(const Piece& piece) {
  store_policy_.learn(piece.span - static_cast<std::uint32_t>(sizeof(FragmentHeader)),
                      piece.non_temporal, std::chrono::nanoseconds(at(tail_)->took));
}

void SendArena::reclaim() {
  until_look_ = tuning_->fragment_look_every;
  for (; !pieces_.empty(); pieces_.pop_front()) {
    Piece& piece = pieces_.front();
    for (; piece.posts > 0; --piece.posts, posts_.pop_front()) {
      const PostedFragment& delivery = posts_.front();
      if (!delivery.ring->taken(delivery.packets)) return;
      if (piece.timed) learn(piece);
    }
    tail_ += piece.span;
  }
}

// Goes back to the start of the arena if no reader holds any of it.
void SendArena::rewind() {
  reclaim();
  if (tail_ == head_) head_ = tail_ = (head_ + bytes_ - 1) / bytes_ * bytes_;
}

Fragment SendArena::acquire(std::uint32_t wanted, std::uint32_t readers,
                            const PeerDistance& first) {
  if (base_ == 0) attach();
  const std::uint64_t span =
      sizeof(FragmentHeader) + (wanted + line_bytes - 1) / line_bytes * line_bytes;
  if (is_oversubscribed(mapping_->header()) && head_ % bytes_ + span > oversubscribed_window())
    rewind();
  const std::uint64_t to_end = bytes_ - head_ % bytes_;
  const std::uint64_t skipped = to_end < span ? to_end : 0;
  if (--until_look_ <= 0 || !has_room(skipped + span)) {
    reclaim();
    if (!has_room(skipped + span)) return {};
  }
  // A fragment is contiguous, so the rest of the arena is skipped.
  if (skipped != 0) pieces_.add().span = static_cast<std::uint32_t>(skipped);
  const StorePolicy::Choice chosen = store_policy_.for_packet(wanted, readers, first);
  pieces_.add() = {static_cast<std::uint32_t>(span), 0, chosen.non_temporal, chosen.timed};
  FragmentHeader* const header = at(head_ + skipped);
  last_is_timed_ = chosen.timed;
  if (chosen.timed) header->took = -nanoseconds_now();
  head_ += skipped + span;
  auto* const data = reinterpret_cast<std::byte*>(header + 1);
  return {data, mapping_->offset_of(data), chosen.non_temporal};
}

void SendArena::posted(const PostedFragment& delivery) {
  posts_.push_back(delivery);
  ++pieces_.back().posts;
}

}  // namespace tutti::transport::shm
