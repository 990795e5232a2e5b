// SPDX-License-Identifier: BSD-3-Clause
// The one-way queue of cache lines between two endpoints. One writer, one reader: the writer fills a line and stores its
// stamp last; the reader knows from its own count which stamp the next line must carry. The reader publishes how far it
// has come only now and then, so an 8-byte message costs one line in one direction and nothing back.
#pragma once

#include <atomic>
#include <cstdint>

#include "transport/post.hpp"
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
      std::uint64_t chunk;  // offset of the chunk's header
      std::uint32_t bytes;
      std::uint32_t kind;
    } outside;
  };
};
static_assert(sizeof(Line) == line_bytes);

struct LineRing {
  static constexpr std::uint64_t lines_count = 64;
  static constexpr std::uint64_t publish_every = lines_count / 4;

  alignas(line_bytes) std::atomic<std::uint64_t> consumed;  // written by the reader
  alignas(line_bytes) Line lines[lines_count];

  Line& line(std::uint64_t number) { return lines[number % lines_count]; }
};

// The queue of the collective lane: each line has a slot for the payload that the line cannot hold. The slot is free
// again when the line is, so nothing has to be given back.
struct PacketRing {
  static constexpr std::uint32_t slot_bytes = most_inline;
  LineRing ring;
  alignas(line_bytes) std::byte slots[LineRing::lines_count][slot_bytes];

  std::byte* slot(std::uint64_t number) { return slots[number % LineRing::lines_count]; }
};

}  // namespace tutti::transport::shm
