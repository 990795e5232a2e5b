// SPDX-License-Identifier: BSD-3-Clause
// The chunks of one sender: from its arena, or beside it where that does not move.
#pragma once

#include "transport/shm/arena.hpp"
#include "transport/shm/overflow.hpp"

namespace tutti::transport::shm {

class Chunks {
 public:
  Chunks(const Mapping& mapping, int self) : arena_(mapping, self), overflow_(mapping, arena_) {}

  [[nodiscard]] Chunk acquire(std::uint32_t bytes, std::uint32_t readers) {
    const Chunk chunk = arena_.acquire(bytes, readers);
    overflowed_ = chunk.data == nullptr;
    return overflowed_ ? overflow_.acquire(bytes) : chunk;
  }
  // The chunk acquired last. Readers that are not told of here have got the bytes in another way.
  void posted(const Delivery& delivery) {
    overflowed_ ? overflow_.posted(delivery) : arena_.posted(delivery);
  }
  // Whether the writing and the reading of the chunk acquired last are timed.
  [[nodiscard]] bool last_is_timed() const { return !overflowed_ && arena_.last_is_timed(); }

  // At each turn of a wait, and after it.
  void waited() { overflow_.waited(); }
  void awake() { overflow_.awake(); }

 private:
  Arena arena_;
  Overflow overflow_;
  bool overflowed_ = false;
};

}  // namespace tutti::transport::shm
