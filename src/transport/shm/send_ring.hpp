// SPDX-License-Identifier: BSD-3-Clause
// Memory in which the buffers of a process follow each other in a ring. Memory that was just
// written lies in the caches of both sides, and writing it again takes twice as long as writing
// memory that has left both caches (decision 0043).
#pragma once

#include <optional>
#include <vector>

#include "transport/shm/buffer_block.hpp"
#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {

// Made for the first buffer that suits, as the send arena is for the first fragment.
class SendRing {
 public:
  // Takes over the ring of a process that ended in this slot while its buffers were not received
  // yet, or was killed.
  SendRing(const Mapping& mapping, int self);

  // Returns true if the ring pays for buffers of this size: shorter ones stay in the first-level
  // cache, longer ones do not stay in the second.
  [[nodiscard]] static bool suits(std::uint64_t bytes) {
    const std::uint64_t whole = sizeof(BufferHeader) + bytes;
    return whole > 16 * 1024 && whole <= 512 * 1024;
  }
  [[nodiscard]] bool exists() const { return base_ != 0; }
  // Offset 0 where there is no room now, or the job's memory did not suffice a while ago.
  [[nodiscard]] BufferBlock take(std::uint64_t bytes);
  // Gives back a block that all readers have read.
  void give_back(const BufferBlock& block);
  // The memory, unless buffers lie in it.
  void release();

 private:
  static constexpr int places = Endpoint::buffers_in_ring;

  // A buffer in the ring, from one offset to another; `place` is its index in the endpoint's
  // record.
  struct Piece {
    std::uint64_t begin = 0, end = 0;
    int place = 0;
    bool inherited = false;  // from an earlier process in this slot, so nobody gives it back
  };

  void inherit();
  void drop_inherited();
  [[nodiscard]] bool have_circle();
  // The first place from there on.
  [[nodiscard]] std::optional<std::uint64_t> find_room(std::uint64_t span,
                                                       std::uint64_t from) const;
  [[nodiscard]] std::vector<Piece>::iterator first_from(std::uint64_t begin);
  std::vector<Piece>::iterator erase(std::vector<Piece>::iterator piece);

  const Mapping* mapping_;
  Endpoint* own_;
  Heap heap_;
  std::uint64_t bytes_;
  std::uint64_t base_ = 0;     // offset of the ring, 0: none
  std::uint64_t cursor_ = 0;   // end of the piece taken last
  int until_attempt_ = 0;      // buffers
  std::vector<Piece> pieces_;  // in the order of their places in the ring
  std::vector<int> free_places_;
  int inherited_ = 0;
};

}  // namespace tutti::transport::shm
