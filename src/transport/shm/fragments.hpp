// SPDX-License-Identifier: BSD-3-Clause
// The fragments of one sender. They come from its send arena, and from the heap while the arena is
// stuck. ShmTransport owns them.
#pragma once

#include "transport/shm/heap_fragments.hpp"
#include "transport/shm/send_arena.hpp"

namespace tutti::transport::shm {

class Fragments {
 public:
  Fragments(const Mapping& mapping, int self, const Clock& clock)
      : arena_(mapping, self), heap_fragments_(mapping, arena_, clock) {}

  [[nodiscard]] Fragment acquire(std::uint32_t bytes, std::uint32_t readers,
                                 const PeerDistance& first) {
    const Fragment fragment = arena_.acquire(bytes, readers, first);
    overflowed_ = fragment.data == nullptr;
    return overflowed_ ? heap_fragments_.acquire(bytes) : fragment;
  }
  // Says that the fragment acquired last was posted to one more reader. Readers that are not
  // reported here have got the bytes in another way.
  void posted(const PostedFragment& delivery) {
    overflowed_ ? heap_fragments_.posted(delivery) : arena_.posted(delivery);
  }
  // Returns true if the fragment acquired last is to be timed by its writer and its reader.
  [[nodiscard]] bool last_is_timed() const { return !overflowed_ && arena_.last_is_timed(); }

  // Called at each turn of a wait after its spin, and at the end of the wait.
  void waited() { heap_fragments_.waited(); }
  void awake() { heap_fragments_.awake(); }

 private:
  SendArena arena_;
  HeapFragments heap_fragments_;
  bool overflowed_ = false;
};

}  // namespace tutti::transport::shm
