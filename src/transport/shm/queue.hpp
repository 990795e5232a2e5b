// SPDX-License-Identifier: BSD-3-Clause
// The memory that two endpoints of the mailbox lane share and that outlives both: a chain of line
// rings, and send buffers. The functions here free it when one of the two is gone. Used by mail.cpp
// and slots.cpp.
#pragma once

#include "transport/shm/line_ring.hpp"
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

// Values of Line::outside.kind in the mailbox lane.
constexpr std::uint32_t kind_buffer = 0;
constexpr std::uint32_t kind_link = 1;       // the queue goes on in the ring at outside.fragment
constexpr std::uint32_t kind_unwritten = 2;  // announced before the buffer was complete
[[nodiscard]] inline bool is_link(const Line& line) {
  return line.total > line_payload && line.outside.kind == kind_link;
}

// Entry of Endpoint::inbound in the mailbox lane: the ring that the receiver reads at present, and
// the generation of the receiver. A sender that has not noticed a change of generation cannot reach
// the new process.
[[nodiscard]] constexpr std::uint64_t queue_entry(std::uint64_t ring,
                                                  std::uint32_t receiver_generation) {
  return ring | std::uint64_t{receiver_generation} << 40;
}
[[nodiscard]] constexpr std::uint64_t ring_of(std::uint64_t entry) {
  return entry & ((std::uint64_t{1} << 40) - 1);
}
[[nodiscard]] constexpr std::uint32_t receiver_generation_of(std::uint64_t entry) {
  return static_cast<std::uint32_t>(entry >> 40);
}

// Counts one reader off: it has copied the buffer out, or never will.
void release_buffer(const Mapping& mapping, std::uint64_t buffer);
// Releases the buffers that the process of a slot holds, because it leaves or has ended, and leaves
// its send buffers to their readers. Frees those that nobody will read any more. The last reader
// frees each of the others, but one in the send ring stays with the slot.
void hand_over_buffers(const Mapping& mapping, int slot);

// Frees the queue from `writer` to `reader` and the messages in it. The caller must be the only
// side that still uses it, or both sides must be gone.
void drop_queue(const Mapping& mapping, int reader, int writer);

}  // namespace tutti::transport::shm
