// SPDX-License-Identifier: BSD-3-Clause
// The memory a sender copies large packets into: one ring per endpoint, handed out in order and taken back in order
// once every reader has let go. It is larger than a second-level cache on purpose (docs/decisions/0003).
#pragma once

#include <atomic>
#include <cstdint>

#include "transport/shm/distance.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/ways.hpp"
#include "transport/transport.hpp"

namespace tutti::transport::shm {

// In shared memory, in front of each chunk.
struct alignas(line_bytes) ChunkHeader {
  std::atomic<std::uint32_t> readers;  // channels that have not let go yet
  std::uint32_t span;                  // bytes from this header to the next
  bool past_caches;                    // how it is to be written
  bool timed;                          // its one reader adds to `took`
  std::int64_t took;                   // ns: negative its beginning, then to write it, then to write and to read it
};

// For chunks that are timed.
[[nodiscard]] inline std::int64_t nanoseconds_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Arena {
 public:
  static constexpr std::uint64_t bytes = std::uint64_t{4} << 20;

  Arena(const Mapping& mapping, int self) : mapping_(&mapping), self_(self) {}

  // Space for `wanted` bytes, or nullptr while readers still hold what is in the way.
  [[nodiscard]] ChunkHeader* acquire(std::uint32_t wanted, std::uint32_t readers);
  // Where the oldest chunk that is not taken back begins.
  [[nodiscard]] std::uint64_t tail() const { return tail_; }

 private:
  void attach();
  void reclaim(int most);
  [[nodiscard]] Ways::Choice choose(std::uint32_t wanted, std::uint32_t readers);
  [[nodiscard]] ChunkHeader* at(std::uint64_t position) const {
    return mapping_->at<ChunkHeader>(base_ + position % bytes);
  }

  const Mapping* mapping_;
  int self_;
  std::uint64_t base_ = 0;
  std::uint64_t head_ = 0;  // positions grow for ever; the ring is position modulo bytes
  std::uint64_t tail_ = 0;
  Distance distance_;
  Ways ways_;
};

}  // namespace tutti::transport::shm
