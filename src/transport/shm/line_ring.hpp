// SPDX-License-Identifier: BSD-3-Clause
// The one-way queue of cache lines between two endpoints, with one writer and one reader. The
// writer fills a line and stores its stamp last. The reader knows from its own count which stamp
// the next line must carry. It publishes only now and then how many packets without a fragment it
// has taken, so an 8-byte message costs one line in one direction and nothing back.
#pragma once

#include <atomic>
#include <cstdint>

#include "transport/mail.hpp"
#include "transport/shm/segment.hpp"

namespace tutti::transport::shm {

// In shared memory. stamp = number of the packet + 1, so zeroed memory holds no packet.
struct alignas(line_bytes) Line {
  std::atomic<std::uint64_t> stamp;
  std::uint64_t tag;
  std::uint64_t total;
  union {
    std::byte payload[line_payload];
    struct {
      std::uint64_t fragment;  // its offset
      std::uint32_t bytes;
      std::uint32_t kind;
    } outside;
  };
};
static_assert(sizeof(Line) == line_bytes);

struct LineRing {
  static constexpr std::uint64_t lines_count = 64;
  static constexpr std::uint64_t publish_every = lines_count / 4;

  // Written by the reader, `consumed` last: the lines, and the payload bytes beside them where
  // there are such.
  alignas(line_bytes) std::atomic<std::uint64_t> consumed;
  std::atomic<std::uint64_t> freed;
  alignas(line_bytes) Line lines[lines_count];

  Line& line(std::uint64_t number) { return lines[number % lines_count]; }
};

// The queue of the collective lane: beside the lines a ring of bytes for payloads that lines cannot
// hold. A payload is free again when its line is, so nothing has to be given back.
struct PacketRing {
  static constexpr std::uint64_t payload_bytes = 16 * 1024;
  LineRing ring;
  alignas(line_bytes) std::byte payloads[payload_bytes];
};

// Where payloads lie: one after the other, each from the start of a cache line, none around the
// end. Writer and reader count alike, so the place need not be told.
class PayloadPlaces {
 public:
  // More than this is never taken by one payload of most_inline bytes: what it skips at the end,
  // and itself.
  static constexpr std::uint64_t most = 2 * most_inline;

  // The offset of the next payload.
  std::uint64_t take(std::uint64_t bytes) {
    const std::uint64_t wanted = (bytes + line_bytes - 1) / line_bytes * line_bytes;
    const std::uint64_t at = end_ % PacketRing::payload_bytes;
    if (at + wanted > PacketRing::payload_bytes) end_ += PacketRing::payload_bytes - at;
    const std::uint64_t place = end_ % PacketRing::payload_bytes;
    end_ += wanted;
    return place;
  }
  // All bytes ever taken, those skipped with them.
  [[nodiscard]] std::uint64_t end() const { return end_; }

 private:
  std::uint64_t end_ = 0;
};
static_assert(PacketRing::payload_bytes >= 4 * PayloadPlaces::most &&
              PacketRing::payload_bytes % line_bytes == 0);

}  // namespace tutti::transport::shm
