// SPDX-License-Identifier: BSD-3-Clause
// Circular memory from which the blocks of a process's streams are taken one after the other. Lines
// that were written just now lie in the caches of both sides. Writing them again takes twice as
// long as writing lines that have left the caches (docs/internals/bsp.md, "Blocks of supersteps lie
// in circular memory").
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "block.hpp"
#include "rows.hpp"

namespace tutti::bsp {

class StreamMemory {
 public:
  // Returns true if circular memory pays for a stream of this length.
  [[nodiscard]] bool suit(std::size_t length) const {
    return length >= shortest_ && length <= longest_;
  }
  // Counts a stream of this length that was written.
  void written(std::size_t length) { written_ += length; }

  // Returns a block with room for `capacity` bytes of records. Its `block` is nullptr if circular
  // memory does not pay yet or none is left.
  [[nodiscard]] OwnBlock take(std::size_t capacity);
  // Takes back a block that no process reads any more.
  void give_back(const OwnBlock& block);

 private:
  struct Piece {
    std::size_t bytes;
    const StreamBlock* block;  // nullptr if the piece is free
  };
  bool have_memory();

  std::size_t memory_bytes_ = row("block_ring"), written_before_ = row("block_ring_after");
  std::size_t shortest_ = row("block_from"), longest_ = row("block_to");
  std::uint64_t written_ = 0;
  bool refused_ = false;  // the job's memory was too small
  Window<std::byte> ring_;
  std::uint64_t head_ = 0, tail_ = 0;  // bytes handed out and taken back so far
  std::deque<Piece> pieces_;           // the pieces from tail_ to head_
};

}  // namespace tutti::bsp
