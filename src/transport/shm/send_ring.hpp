// SPDX-License-Identifier: BSD-3-Clause
// The send ring: memory in which a process's send buffers of middle length follow each other.
// ShmMail uses it. Memory that was written just now lies in the caches of both sides, and writing
// it again takes twice as long as writing memory that both have evicted
// (docs/internals/shared-memory.md, "Send buffers of middle length lie in a ring").
#pragma once

#include <optional>
#include <vector>

#include "transport/shm/buffer_block.hpp"
#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {

// The ring's memory is allocated for the first buffer that suits.
class SendRing {
 public:
  // Takes over the ring of an earlier process in this slot that was killed or that ended before its
  // buffers were received.
  SendRing(const Mapping& mapping, int self);

  // Returns true if the ring is worthwhile for buffers of this length. Shorter buffers stay in the
  // first-level cache anyway, and longer ones do not stay in the second-level cache.
  [[nodiscard]] bool suits(std::uint64_t bytes) const {
    const auto whole = static_cast<std::int64_t>(sizeof(BufferHeader) + bytes);
    return whole > mapping_->tuning().mail_ring_from && whole <= mapping_->tuning().mail_ring_to;
  }
  [[nodiscard]] bool exists() const { return base_ != 0; }
  // Returns offset 0 if there is no room now, or if the job's memory did not suffice a few buffers
  // ago.
  [[nodiscard]] BufferBlock take(std::uint64_t bytes);
  // Gives back a block that take() returned and that all readers have read.
  void give_back(const BufferBlock& block);
  // Frees the ring's memory, unless buffers lie in it.
  void release();

 private:
  static constexpr int places = Endpoint::buffers_in_ring;

  // One buffer's part of the ring, as offsets in the ring. `place` is its index in
  // Endpoint::ring_buffers.
  struct Piece {
    std::uint64_t begin = 0, end = 0;
    int place = 0;
    bool inherited = false;  // belongs to an earlier process in this slot, so nobody gives it back
  };

  void inherit();
  void drop_inherited();
  [[nodiscard]] bool have_ring();
  // Returns the offset of the first `span` free bytes at or after `from`.
  [[nodiscard]] std::optional<std::uint64_t> find_room(std::uint64_t span,
                                                       std::uint64_t from) const;
  [[nodiscard]] std::vector<Piece>::iterator first_from(std::uint64_t begin);
  std::vector<Piece>::iterator erase(std::vector<Piece>::iterator piece);

  const Mapping* mapping_;
  Endpoint* own_;
  Heap heap_;
  std::uint64_t bytes_;
  std::uint64_t base_ = 0;          // offset of the ring, 0: none
  std::uint64_t cursor_ = 0;        // end of the piece taken last
  std::int64_t until_attempt_ = 0;  // buffers until the memory is asked for again
  std::vector<Piece> pieces_;       // in the order of their offsets
  std::vector<int> free_places_;
  int inherited_ = 0;
};

}  // namespace tutti::transport::shm
