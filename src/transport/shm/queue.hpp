// SPDX-License-Identifier: BSD-3-Clause
// The memory that two endpoints of the mailbox share and that outlives both: a chain of line rings,
// and buffers. The functions here also give it back when one of the two is gone.
#pragma once

#include "transport/shm/line_ring.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

// In front of every buffer. While the sender lives it frees the buffer when `readers` is 0; an
// abandon is freed by the reader that lets go last.
struct alignas(line_bytes) BufferHeader {
  static constexpr std::uint32_t abandon = 1U << 31;
  std::atomic<std::uint32_t> readers;
  std::uint64_t bytes;                 // capacity, without this header
  std::atomic<std::uint64_t> written;  // of a buffer of kind_unwritten: so many bytes can be read
  std::uint32_t
      in_ring;  // 1: its memory is its sender's ring, and that of the next one in the slot
};

// Line::outside.kind
constexpr std::uint32_t kind_buffer = 0;
constexpr std::uint32_t kind_link = 1;       // the queue goes on in the ring at outside.fragment
constexpr std::uint32_t kind_unwritten = 2;  // the buffer was, and perhaps is, still to be written
[[nodiscard]] inline bool is_link(const Line& line) {
  return line.total > line_payload && line.outside.kind == kind_link;
}

// Entry of Endpoint::inbound in the mailbox lane: the ring the receiver reads at present, and which
// generation of the receiver it is meant for. A sender that is slow to notice a change of
// generation cannot reach the new one.
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

// One reader has copied the buffer out, or never will.
void let_go_of_buffer(const Mapping& mapping, std::uint64_t buffer);
// Its sender is gone: `readers` decides who frees it.
void abandon_buffer(const Mapping& mapping, std::uint64_t buffer);
// Ended without finalize, so it can free nothing itself.
[[nodiscard]] bool was_cut_off(const Mapping& mapping, int slot);

// Frees the queue from one slot to another with the messages that were not taken. It may be called
// when neither side uses the queue any more, or by the side that is left.
void drop_queue(const Mapping& mapping, int reader, int writer);

}  // namespace tutti::transport::shm
