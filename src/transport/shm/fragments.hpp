// SPDX-License-Identifier: BSD-3-Clause
// The fragments of one sender: from its arena, or beside it where that does not move.
#pragma once

#include "transport/shm/heap_fragments.hpp"
#include "transport/shm/send_arena.hpp"

namespace tutti::transport::shm {

class Fragments {
 public:
  Fragments(const Mapping& mapping, int self)
      : arena_(mapping, self), heap_fragments_(mapping, arena_) {}

  [[nodiscard]] Fragment acquire(std::uint32_t bytes, std::uint32_t readers) {
    const Fragment fragment = arena_.acquire(bytes, readers);
    overflowed_ = fragment.data == nullptr;
    return overflowed_ ? heap_fragments_.acquire(bytes) : fragment;
  }
  // The fragment acquired last. Readers that are not told of here have got the bytes in another
  // way.
  void posted(const PostedFragment& delivery) {
    overflowed_ ? heap_fragments_.posted(delivery) : arena_.posted(delivery);
  }
  // Returns true if the writing and the reading of the last acquired fragment are timed.
  [[nodiscard]] bool last_is_timed() const { return !overflowed_ && arena_.last_is_timed(); }

  // At each turn of a wait, and after it.
  void waited() { heap_fragments_.waited(); }
  void awake() { heap_fragments_.awake(); }

 private:
  SendArena arena_;
  HeapFragments heap_fragments_;
  bool overflowed_ = false;
};

}  // namespace tutti::transport::shm
