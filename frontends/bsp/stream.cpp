// SPDX-License-Identifier: BSD-3-Clause
// Grows, seals and reuses chains of blocks (stream.hpp).
#include "stream.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "copy.hpp"
#include "errors.hpp"

namespace tutti::bsp {
namespace {

constexpr std::size_t first_bytes = 4096;
constexpr std::size_t largest_growth = std::size_t{1} << 22;

// Returns an empty block of a window of so many bytes.
OwnBlock block_at(void* window, std::size_t bytes) {
  Window<StreamBlock> owner(new (window) StreamBlock);
  return {owner.get(), tutti_window_name(window), bytes - sizeof(StreamBlock), std::move(owner)};
}

}  // namespace

void Stream::add_block(std::size_t bytes) {
  const std::size_t before = blocks_.empty() ? 0 : blocks_.back().capacity + sizeof(StreamBlock);
  const std::size_t wanted =
      std::max({first_bytes, bytes + sizeof(StreamBlock), std::min(2 * before, largest_growth)});
  void* address = nullptr;
  check("bsp_sync", tutti_alloc, static_cast<std::int64_t>(wanted), &address);
  blocks_.push_back(block_at(address, wanted));
}

// Takes a first block that holds the whole stream, if it becomes no longer than it was last time.
void Stream::begin_in_turn(std::size_t bytes) {
  if (first_ == FirstBlock::stays || last_length_ == 0) return;
  const std::size_t wanted = std::max(bytes + sizeof(StreamBlock), last_length_);
  void* address = nullptr;
  check("bsp_sync", tutti_window_in_turn, static_cast<std::int64_t>(wanted), &address);
  if (address == nullptr) return;
  blocks_.insert(blocks_.begin(), block_at(address, wanted));
  takes_turns_ = true;
}

// Blocks that are too small for this record stay in the chain, empty.
void Stream::next_block(std::size_t bytes) {
  if (empty()) {
    begin_in_turn(bytes);
  } else {
    blocks_[current_].block->used =
        static_cast<std::uint64_t>(at_ - blocks_[current_].block->records());
  }
  std::size_t index = empty() ? 0 : current_ + 1;
  for (; index < blocks_.size() && blocks_[index].capacity < bytes; ++index)
    blocks_[index].block->used = 0;
  if (index == blocks_.size()) add_block(bytes);
  current_ = index;
  at_ = blocks_[index].block->records();
  end_ = at_ + blocks_[index].capacity;
}

std::uint64_t Stream::seal() {
  if (empty()) return 0;
  for (std::size_t i = 0; i < current_; ++i) blocks_[i].block->next = blocks_[i + 1].name;
  StreamBlock& last = *blocks_[current_].block;
  last.next = 0;
  last.used = static_cast<std::uint64_t>(at_ - last.records());
  blocks_.front().block->items = items_;
  blocks_.front().block->bytes = bytes_;
  return blocks_.front().name;
}

std::size_t Stream::length() const {
  std::size_t total = 0;
  for (std::size_t i = 0; !empty() && i <= current_; ++i) total += blocks_[i].block->used;
  return empty() ? 0 : total + sizeof(StreamBlock);
}

void Stream::flatten(std::byte* to) const {
  if (empty()) return;
  StreamBlock whole = *blocks_.front().block;
  whole.next = 0;
  whole.used = length() - sizeof(StreamBlock);
  std::memcpy(to, &whole, sizeof whole);
  to += sizeof whole;
  for (std::size_t i = 0; i <= current_; ++i) {
    copy_bytes(to, blocks_[i].block->records(), blocks_[i].block->used);
    to += blocks_[i].block->used;
  }
}

void Stream::clear() {
  if (empty()) return;
  last_length_ = length();
  if (std::exchange(takes_turns_, false)) blocks_.erase(blocks_.begin());
  at_ = end_ = nullptr;
  current_ = 0;
  items_ = bytes_ = 0;
}

}  // namespace tutti::bsp
