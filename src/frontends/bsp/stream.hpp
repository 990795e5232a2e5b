// SPDX-License-Identifier: BSD-3-Clause
// What one process has for another in one superstep: records one after the other in a chain of
// blocks. The blocks lie in windows, so the other process reads them where they are; and they are
// kept from superstep to superstep, but for the first of a stream that takes turns with others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "block.hpp"
#include "turns.hpp"

namespace tutti::bsp {

// Records begin at multiples of this.
constexpr std::size_t record_alignment = 8;
[[nodiscard]] constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + record_alignment - 1) / record_alignment * record_alignment;
}

// Lines of a block were read by another processor when they were last in use, or have been written
// by one. They are asked for so far ahead: short records are written and found one by one, and each
// line would be waited for by itself.
constexpr std::size_t bytes_ahead = 512;
inline void fetch_to_write(std::byte* at) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0"
               :
               : "m"(*at));  // what the builtin gives for any x86-64 leaves the line to its readers
#else
  __builtin_prefetch(at, 1);
#endif
}
inline void fetch_to_read(const std::byte* at) {
  __builtin_prefetch(at);
}
inline void fetch_first(const std::byte* records) {
  for (std::size_t at = 0; at < bytes_ahead; at += 64) fetch_to_read(records + at);
}

class Stream {
 public:
  // Without `turns` it takes none.
  explicit Stream(Turns* turns = nullptr) : turns_(turns) {}

  // Room for a record of that many bytes, a multiple of record_alignment.
  std::byte* append(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]]
      next_block(bytes);
    std::byte* const place = at_;
    fetch_to_write(place + bytes_ahead);
    at_ += bytes;
    return place;
  }
  // One record more, with so many bytes of payload.
  void count(std::size_t payload) {
    ++items_;
    bytes_ += payload;
  }
  [[nodiscard]] std::uint64_t items() const { return items_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return at_ == nullptr; }

  // Writes the headers: now others may read. The name of the first block, 0 if there are no
  // records.
  std::uint64_t seal();
  // Bytes of all blocks with their headers, after seal().
  [[nodiscard]] std::size_t length() const;
  // Copies them to `to`, after seal().
  void flatten(std::byte* to) const;
  // Nobody reads any more: begins again, in memory that is there.
  void clear();

 private:
  void next_block(std::size_t bytes);
  void begin_in_turn(std::size_t bytes);
  void add_block(std::size_t bytes);

  Turns* turns_;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t current_ = 0;  // index of the block in use
  std::uint64_t items_ = 0, bytes_ = 0;
  std::size_t last_length_ = 0;  // before clear()
  std::vector<OwnBlock> blocks_;
};

// Reads a stream of another process: visit(record) returns the bytes that the record takes.
// `resolve` finds a block by its name.
template <class Resolve, class Visit>
void for_each_record(const StreamBlock* block, const Resolve& resolve, const Visit& visit) {
  while (block != nullptr) {
    const std::byte* at = block->records();
    const std::byte* const end = at + block->used;
    fetch_first(at);
    while (at < end) {
      fetch_to_read(at + bytes_ahead);
      at += visit(at);
    }
    block = block->next == 0 ? nullptr : resolve(block->next);
  }
}

}  // namespace tutti::bsp
