// SPDX-License-Identifier: BSD-3-Clause
// Send buffers of the mailbox lane, which may outlive their sender. The functions here free them
// when it has gone. Mail, rings and the supervisor use it.
#pragma once

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

// Header in front of every send buffer. While the sender lives, it frees the buffer when `readers`
// is 0. The last reader frees a buffer that has the mark `abandon`.
struct alignas(line_bytes) BufferHeader {
  static constexpr std::uint32_t abandon = 1U << 31;
  // The sender puts it before it tells anybody, readers subtract, and the sender sees it.
  Shared<std::uint32_t> readers;
  // Number of those readers that were not told of the buffer yet. The sender puts it, and
  // abandon_buffer() sees it.
  Shared<std::uint32_t> untold;
  std::uint64_t bytes;  // capacity, without this header
  // Number of bytes that can be read, for a buffer of kind_unwritten. The sender publishes it, the
  // receiver sees it.
  Shared<std::uint64_t> written;
  // 1 if the buffer lies in its sender's send ring. Readers never free that: it stays with the
  // slot.
  std::uint32_t in_ring;

  // Only the sender writes `untold`, so it needs no atomic subtraction.
  void count_told(std::uint32_t readers_told) {
    const std::uint32_t before = untold.peek();
    untold.put(before - readers_told);
  }
  // Takes readers off that will never be told.
  void withdraw(std::uint32_t unsent) {
    count_told(unsent);
    readers.subtract(unsent);
  }
};

// Counts one reader off: it has copied the buffer out, or never will.
void release_buffer(const Mapping& mapping, std::uint64_t buffer);
// Releases the buffers that the process of a slot holds, because it leaves or has ended, and leaves
// its send buffers to their readers. Frees those that nobody will read any more. The last reader
// frees each of the others, but one in the send ring stays with the slot.
void hand_over_buffers(const Mapping& mapping, int slot);

}  // namespace tutti::transport::shm
