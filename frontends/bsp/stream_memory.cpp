// SPDX-License-Identifier: BSD-3-Clause
// Hands out blocks in order. A block that is given back early waits for those before it
// (stream_memory.hpp).
#include "stream_memory.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <new>

namespace tutti::bsp {
namespace {

constexpr std::size_t line_bytes = 64;

}  // namespace

bool StreamMemory::have_memory() {
  if (ring_) return true;
  if (refused_ || written_ < written_before_) return false;
  void* address = nullptr;
  refused_ = tutti_window_allocate(static_cast<std::int64_t>(memory_bytes_), &address) != TUTTI_OK;
  ring_.reset(static_cast<std::byte*>(address));
  return !refused_;
}

OwnBlock StreamMemory::take(std::size_t capacity) {
  if (!have_memory()) return {};
  const std::size_t bytes =
      (sizeof(StreamBlock) + capacity + line_bytes - 1) / line_bytes * line_bytes;
  const std::size_t to_end = memory_bytes_ - head_ % memory_bytes_;
  const std::size_t skipped = to_end < bytes ? to_end : 0;  // blocks are contiguous
  if (head_ + skipped + bytes > tail_ + memory_bytes_) return {};
  if (skipped != 0) pieces_.push_back({skipped, nullptr});
  auto* const block = new (ring_.get() + (head_ + skipped) % memory_bytes_) StreamBlock;
  pieces_.push_back({bytes, block});
  head_ += skipped + bytes;
  return {block, tutti_window_name(block), bytes - sizeof(StreamBlock), nullptr};
}

void StreamMemory::give_back(const OwnBlock& block) {
  const auto of_block = [&](const Piece& piece) { return piece.block == block.block; };
  std::find_if(pieces_.begin(), pieces_.end(), of_block)->block = nullptr;
  for (; !pieces_.empty() && pieces_.front().block == nullptr; pieces_.pop_front())
    tail_ += pieces_.front().bytes;
}

}  // namespace tutti::bsp
