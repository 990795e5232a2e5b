// SPDX-License-Identifier: BSD-3-Clause
// A ring of cache lines with one writer and one reader, for either lane. The writer fills a line
// and stores its stamp last; the reader knows from its own count which stamp the next line must
// carry. For packets without a fragment the reader publishes its count only now and then, so an
// 8-byte message moves one line forward and nothing back.
#pragma once

#include <cstdint>

#include "transport/mail.hpp"
#include "transport/shm/handover_slot.hpp"
#include "transport/shm/segment.hpp"

namespace tutti::transport::shm {

// One packet in shared memory. Zeroed memory holds no packet.
struct alignas(packet_bytes) Line {
  // stamp_of() the number of the packet in its ring. The writer publishes it, the reader sees it.
  Shared<std::uint32_t> stamp;
  std::uint32_t detail;
  std::uint64_t tag;
  std::uint64_t total;
  union {
    std::byte payload[line_payload];
    struct {
      std::uint64_t fragment;  // offset in the segment
      std::uint32_t bytes;
      std::uint32_t kind;
      std::uint32_t part;  // of kind_in_place: so many bytes are one packet for the reader
    } outside;
  };

  [[nodiscard]] Label label() const { return {tag, detail}; }
  void set_label(Label label) {
    tag = label.tag;
    detail = label.detail;
  }
};
static_assert(sizeof(Line) == packet_bytes);

// Returns the stamp of packet `number` of a ring. The line held the stamp of a packet one round
// earlier, or 0 in the first round, so 32 bits are enough.
[[nodiscard]] constexpr std::uint32_t stamp_of(std::uint64_t number) {
  return static_cast<std::uint32_t>(number) + 1;
}

// Values of Line::outside.kind. Packets of the collective lane have the first four.
constexpr std::uint32_t kind_fragment = 0;
constexpr std::uint32_t kind_timed = 1;     // the reader adds the time that it took
constexpr std::uint32_t kind_in_place = 2;  // outside.fragment is that of the program's own bytes
constexpr std::uint32_t kind_together = 3;  // both ends copy (handover.hpp)
// Messages of the mailbox lane have these.
constexpr std::uint32_t kind_buffer = 0;
constexpr std::uint32_t kind_link = 1;       // the messages go on in the ring at outside.fragment
constexpr std::uint32_t kind_unwritten = 2;  // announced before the buffer was complete
[[nodiscard]] inline bool is_link(const Line& line) {
  return line.total > line_payload && line.outside.kind == kind_link;
}

struct LineRing {
  static constexpr std::uint64_t lines_count = base::fixed::ring_lines;

  // Counters that the reader publishes and the writer sees: `freed` payload bytes first, where the
  // ring has payloads, then `consumed` lines.
  alignas(line_bytes) Shared<std::uint64_t> consumed;
  Shared<std::uint64_t> freed;
  alignas(line_bytes) Line lines[lines_count];

  Line& line(std::uint64_t number) { return lines[number % lines_count]; }
};

// The ring of the collective lane: a line ring, and beside it a byte ring for payloads that do not
// fit a line. The reader frees a payload together with its line.
struct PacketRing {
  static constexpr std::uint64_t payload_bytes = base::fixed::payload_ring;
  LineRing ring;
  HandoverSlot handover;
  alignas(line_bytes) std::byte payloads[payload_bytes];
};

// Computes where payloads lie in the byte ring: one after the other, each from the start of a cache
// line, none around the end. Writer and reader compute the same places, so no packet carries them.
class PayloadPlaces {
 public:
  // Upper bound of the bytes that one payload of most_inline bytes takes: itself and what it skips
  // at the end of the ring.
  static constexpr std::uint64_t most = 2 * most_inline;

  // Takes the next place and returns its offset.
  std::uint64_t take(std::uint64_t bytes) {
    const std::uint64_t wanted = (bytes + line_bytes - 1) / line_bytes * line_bytes;
    const std::uint64_t at = end_ % PacketRing::payload_bytes;
    if (at + wanted > PacketRing::payload_bytes) end_ += PacketRing::payload_bytes - at;
    const std::uint64_t place = end_ % PacketRing::payload_bytes;
    end_ += wanted;
    return place;
  }
  // Number of bytes ever taken, skipped ones included.
  [[nodiscard]] std::uint64_t end() const { return end_; }

 private:
  std::uint64_t end_ = 0;
};
static_assert(PacketRing::payload_bytes >= 4 * PayloadPlaces::most &&
              PacketRing::payload_bytes % line_bytes == 0);

}  // namespace tutti::transport::shm
