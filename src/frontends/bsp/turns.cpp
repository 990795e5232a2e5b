// SPDX-License-Identifier: BSD-3-Clause
// Hands out blocks in order. A block that is given back early waits for those before it
// (turns.hpp).
#include "turns.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <new>

namespace tutti::bsp {
namespace {

constexpr std::size_t line_bytes = 64;

}  // namespace

bool Turns::have_circle() {
  if (circle_) return true;
  if (refused_ || written_ < written_before) return false;
  void* address = nullptr;
  refused_ = tutti_window_allocate(static_cast<std::int64_t>(circle_bytes), &address) != TUTTI_OK;
  circle_.reset(static_cast<std::byte*>(address));
  return !refused_;
}

OwnBlock Turns::take(std::size_t capacity) {
  if (!have_circle()) return {};
  const std::size_t bytes =
      (sizeof(StreamBlock) + capacity + line_bytes - 1) / line_bytes * line_bytes;
  const std::size_t to_end = circle_bytes - head_ % circle_bytes;
  const std::size_t skipped = to_end < bytes ? to_end : 0;  // blocks are contiguous
  if (head_ + skipped + bytes > tail_ + circle_bytes) return {};
  if (skipped != 0) pieces_.push_back({skipped, nullptr});
  auto* const block = new (circle_.get() + (head_ + skipped) % circle_bytes) StreamBlock;
  pieces_.push_back({bytes, block});
  head_ += skipped + bytes;
  return {block, tutti_window_name(block), bytes - sizeof(StreamBlock), nullptr};
}

void Turns::give_back(const OwnBlock& block) {
  const auto of_block = [&](const Piece& piece) { return piece.block == block.block; };
  std::find_if(pieces_.begin(), pieces_.end(), of_block)->block = nullptr;
  for (; !pieces_.empty() && pieces_.front().block == nullptr; pieces_.pop_front())
    tail_ += pieces_.front().bytes;
}

}  // namespace tutti::bsp
