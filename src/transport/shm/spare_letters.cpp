// SPDX-License-Identifier: BSD-3-Clause
// Which block the next letter gets.
#include "transport/shm/spare_letters.hpp"

#include <bit>
#include <utility>

namespace tutti::transport::shm {

bool SpareLetters::fits(std::uint64_t bytes) const {
  return takes_turns(bytes) ? first_fitting(bytes) < sizes : largest_.bytes >= bytes;
}

int SpareLetters::size_of(std::uint64_t bytes) {
  return static_cast<int>(std::bit_width((bytes + sizeof(LetterHeader) - 1) / smallest));
}

int SpareLetters::first_fitting(std::uint64_t bytes) const {
  int size = size_of(bytes);
  while (size < sizes && in_turn_[size].blocks.empty()) ++size;
  return size;
}

LetterBlock SpareLetters::take(std::uint64_t bytes, bool shared_cache) {
  if (takes_turns(bytes)) return take_in_turn(bytes, shared_cache);
  if (largest_.bytes >= bytes) return std::exchange(largest_, {});
  free(std::exchange(largest_, {}));
  return allocate(bytes);
}

LetterBlock SpareLetters::take_in_turn(std::uint64_t bytes, bool shared_cache) {
  Size& own = in_turn_[size_of(bytes)];
  const std::uint64_t whole = std::bit_ceil(bytes + sizeof(LetterHeader));
  own.last_use = ++uses_;
  own.written += whole;
  const int found = first_fitting(bytes);
  if (found == sizes || (shared_cache && grows(own, whole))) return allocate(whole - sizeof(LetterHeader));
  const LetterBlock block = in_turn_[found].blocks.front();
  in_turn_[found].blocks.pop_front();
  in_turn_bytes_ -= block.bytes;
  return block;
}

bool SpareLetters::grows(const Size& size, std::uint64_t block_bytes) {
  if (size.written < windows_before_growth * window_ || --until_growth_ > 0) return false;
  until_growth_ = between_growths;
  while (in_turn_bytes_ + block_bytes > window_) {
    if (uses_ - longest_unused()->last_use < out_of_use) return false;
    free_one_of(*longest_unused());
  }
  return true;
}

LetterBlock SpareLetters::allocate(std::uint64_t bytes) {
  auto offset = heap_.allocate(sizeof(LetterHeader) + bytes);
  if (!offset) {
    release();
    offset = heap_.allocate(sizeof(LetterHeader) + bytes);
  }
  return offset ? LetterBlock{*offset, bytes} : LetterBlock{};
}

void SpareLetters::keep(const LetterBlock& block) {
  if (!takes_turns(block.bytes)) {
    const bool is_larger = block.bytes > largest_.bytes;
    return free(is_larger ? std::exchange(largest_, block) : block);
  }
  in_turn_[size_of(block.bytes)].blocks.push_back(block);
  in_turn_bytes_ += block.bytes;
  while (in_turn_bytes_ > window_) free_one_of(*longest_unused());
}

SpareLetters::Size* SpareLetters::longest_unused() {
  Size* found = nullptr;
  for (Size& size : in_turn_) {
    if (!size.blocks.empty() && (found == nullptr || size.last_use < found->last_use)) found = &size;
  }
  return found;
}

void SpareLetters::free_one_of(Size& size) {
  const LetterBlock block = size.blocks.front();
  size.blocks.pop_front();
  in_turn_bytes_ -= block.bytes;
  free(block);
}

void SpareLetters::free(const LetterBlock& block) {
  if (block.offset != 0) heap_.free(block.offset, sizeof(LetterHeader) + block.bytes);
}

void SpareLetters::release() {
  free(std::exchange(largest_, {}));
  while (in_turn_bytes_ > 0) free_one_of(*longest_unused());
}

}  // namespace tutti::transport::shm
