// SPDX-License-Identifier: BSD-3-Clause
// A stream holds what one process has for another in one superstep: records one after the other in
// a chain of blocks. Blocks lie in windows, so the other process reads them in place. They are kept
// for later supersteps, except a first block that takes turns with others (tutti_window_in_turn).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "block.hpp"

namespace tutti::bsp {

// Records begin at multiples of this number of bytes.
constexpr std::size_t record_alignment = 8;
[[nodiscard]] constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + record_alignment - 1) / record_alignment * record_alignment;
}

// Lines of a block are in another processor's cache: that processor has read the old records or
// written the new ones. Lines are prefetched this far ahead. Otherwise short records, which are
// written and read one by one, would wait for each line.
constexpr std::size_t bytes_ahead = 512;
inline void fetch_to_write(std::byte* at) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0"
               :
               : "m"(*at));  // the builtin for any x86-64 leaves the line with its readers
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
  enum class FirstBlock : bool { stays, takes_turns };
  explicit Stream(FirstBlock first = FirstBlock::stays) : first_(first) {}

  // Returns room for a record of `bytes` bytes, a multiple of record_alignment.
  std::byte* append(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]]
      next_block(bytes);
    std::byte* const place = at_;
    fetch_to_write(place + bytes_ahead);
    at_ += bytes;
    return place;
  }
  // Counts one more record and its payload bytes.
  void count(std::size_t payload) {
    ++items_;
    bytes_ += payload;
  }
  [[nodiscard]] std::uint64_t items() const { return items_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return at_ == nullptr; }

  // Writes the headers, so that others may read. Returns the name of the first block, or 0 if there
  // are no records.
  std::uint64_t seal();
  // Returns the bytes of all records and one header, after seal().
  [[nodiscard]] std::size_t length() const;
  // Copies one header and all records to `to`, after seal().
  void flatten(std::byte* to) const;
  // Begins again in the same memory. No process may read the stream any more.
  void clear();

 private:
  void next_block(std::size_t bytes);
  void begin_in_turn(std::size_t bytes);
  void add_block(std::size_t bytes);

  FirstBlock first_;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t current_ = 0;  // index of the block in use
  std::uint64_t items_ = 0, bytes_ = 0;
  bool takes_turns_ = false;     // the first block is given back when the stream is cleared
  std::size_t last_length_ = 0;  // length() before the last clear()
  std::vector<OwnBlock> blocks_;
};

// Reads a stream of another process. visit(record) returns the bytes of the record, and
// resolve(name) finds a block.
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
