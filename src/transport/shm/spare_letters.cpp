// SPDX-License-Identifier: BSD-3-Clause
// Which block the next letter gets.
#include "transport/shm/spare_letters.hpp"

#include <bit>
#include <utility>

namespace tutti::transport::shm {

SpareLetters::SpareLetters(const Mapping& mapping, int self)
    : mapping_(&mapping),
      heap_(mapping),
      record_(mapping.endpoint(self).spares),
      window_(mapping.header().arena_bytes / 4 * 3) {
  for (int place = places - 1; place > place_of_largest; --place) free_places_.push_back(place);
  // What is kept goes to a place that has been read.
  for (int place = 0; place < places; ++place) {
    const std::uint64_t offset = record_[place].load(std::memory_order_relaxed);
    if (offset == 0) continue;
    record_[place].store(0, std::memory_order_relaxed);
    rest({offset, mapping.at<LetterHeader>(offset)->bytes});
  }
}

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
  if (takes_turns(bytes)) {
    const LetterBlock block = take_in_turn(bytes, shared_cache);
    out_bytes_ += block.bytes;
    return block;
  }
  const LetterBlock largest = take_largest();
  if (largest.bytes >= bytes) return largest;
  free(largest);
  return allocate_or_release(bytes);
}

LetterBlock SpareLetters::take_largest() {
  record_[place_of_largest].store(0, std::memory_order_relaxed);
  return std::exchange(largest_, {});
}

LetterBlock SpareLetters::take_in_turn(std::uint64_t bytes, bool shared_cache) {
  Size& own = in_turn_[size_of(bytes)];
  const std::uint64_t whole = std::bit_ceil(bytes + sizeof(LetterHeader));
  own.last_use = ++uses_;
  own.written += whole;
  if (shared_cache && grows(own, whole)) {
    const LetterBlock added = allocate(whole - sizeof(LetterHeader));
    if (added.offset != 0) return added;
  }
  const int found = first_fitting(bytes);
  if (found == sizes) return allocate_or_release(whole - sizeof(LetterHeader));
  return take_one_of(in_turn_[found], many_written(own) ? Which::most_rested : Which::latest);
}

LetterBlock SpareLetters::take_one_of(Size& size, Which which) {
  const Rested rested = which == Which::latest ? size.blocks.back() : size.blocks.front();
  which == Which::latest ? size.blocks.drop_last() : size.blocks.pop_front();
  in_turn_bytes_ -= rested.block.bytes;
  record_[rested.place].store(0, std::memory_order_relaxed);
  free_places_.push_back(rested.place);
  return rested.block;
}

bool SpareLetters::grows(const Size& size, std::uint64_t block_bytes) {
  if (!many_written(size) || --until_growth_ > 0) return false;
  until_growth_ = between_growths;
  while (in_turn_bytes_ + out_bytes_ + block_bytes > window_) {
    if (in_turn_bytes_ == 0 || uses_ - longest_unused()->last_use < out_of_use) return false;
    free_one_of(*longest_unused());
  }
  return true;
}

LetterBlock SpareLetters::allocate(std::uint64_t bytes) {
  const auto offset = heap_.allocate(sizeof(LetterHeader) + bytes);
  if (!offset) return {};
  mapping_->at<LetterHeader>(*offset)->bytes = bytes;
  return {*offset, bytes};
}

LetterBlock SpareLetters::allocate_or_release(std::uint64_t bytes) {
  const LetterBlock block = allocate(bytes);
  if (block.offset != 0) return block;
  release();
  return allocate(bytes);
}

void SpareLetters::keep(const LetterBlock& block) {
  if (takes_turns(block.bytes)) out_bytes_ -= block.bytes;
  rest(block);
}

void SpareLetters::rest(const LetterBlock& block) {
  if (!takes_turns(block.bytes)) {
    if (block.bytes <= largest_.bytes) return free(block);
    record_[place_of_largest].store(block.offset, std::memory_order_relaxed);
    return free(std::exchange(largest_, block));
  }
  const int place = free_places_.back();
  free_places_.pop_back();
  record_[place].store(block.offset, std::memory_order_relaxed);
  in_turn_[size_of(block.bytes)].blocks.push_back({block, place});
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
  free(take_one_of(size, Which::most_rested));
}

void SpareLetters::free(const LetterBlock& block) {
  if (block.offset != 0) heap_.free(block.offset, sizeof(LetterHeader) + block.bytes);
}

void SpareLetters::release() {
  free(take_largest());
  while (in_turn_bytes_ > 0) free_one_of(*longest_unused());
}

}  // namespace tutti::transport::shm
