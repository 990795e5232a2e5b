// SPDX-License-Identifier: BSD-3-Clause
// The next letter begins where the last one ends; letters that are still to be read are passed
// over.
#include "transport/shm/letter_circle.hpp"

#include <algorithm>

namespace tutti::transport::shm {
namespace {

// Its memory, 2 us for each new page, is asked for again only after so many letters.
constexpr int letters_without = 256;

std::uint64_t span_of(std::uint64_t bytes) {
  return (sizeof(LetterHeader) + bytes + line_bytes - 1) / line_bytes * line_bytes;
}

bool is_read(const LetterHeader& header) {
  return (header.readers.load(std::memory_order_acquire) & ~LetterHeader::orphan) == 0;
}

}  // namespace

LetterCircle::LetterCircle(const Mapping& mapping, int self)
    : mapping_(&mapping),
      own_(&mapping.endpoint(self)),
      heap_(mapping),
      bytes_(mapping.header().arena_bytes / 4 * 3),
      base_(own_->letter_circle.load(std::memory_order_relaxed)) {
  pieces_.reserve(places);
  if (base_ != 0) inherit();
  for (int place = places - 1; place >= 0; --place) {
    if (own_->circle_letters[place].load(std::memory_order_relaxed) == 0)
      free_places_.push_back(place);
  }
}

void LetterCircle::inherit() {
  for (int place = 0; place < places; ++place) {
    const std::uint64_t offset = own_->circle_letters[place].load(std::memory_order_relaxed);
    if (offset == 0) continue;
    const std::uint64_t begin = offset - base_;
    pieces_.insert(
        first_from(begin),
        {begin, begin + span_of(mapping_->at<LetterHeader>(offset)->bytes), place, true});
    ++inherited_;
  }
}

void LetterCircle::drop_inherited() {
  for (auto piece = pieces_.begin(); inherited_ > 0 && piece != pieces_.end();) {
    if (!piece->inherited || !is_read(*mapping_->at<LetterHeader>(base_ + piece->begin))) {
      ++piece;
      continue;
    }
    --inherited_;
    piece = erase(piece);
  }
}

bool LetterCircle::have_circle() {
  if (base_ != 0) return true;
  if (until_attempt_-- > 0) return false;
  until_attempt_ = letters_without;
  base_ = heap_.allocate(bytes_).value_or(0);
  own_->letter_circle.store(base_, std::memory_order_relaxed);
  return base_ != 0;
}

LetterBlock LetterCircle::take(std::uint64_t bytes) {
  if (!have_circle()) return {};
  drop_inherited();
  if (free_places_.empty()) return {};
  const std::uint64_t span = span_of(bytes);
  auto begin = find_room(span, cursor_);
  if (!begin) begin = find_room(span, 0);
  if (!begin) return {};
  cursor_ = *begin + span;
  const int place = free_places_.back();
  free_places_.pop_back();
  pieces_.insert(first_from(*begin), {*begin, cursor_, place});
  const std::uint64_t offset = base_ + *begin;
  auto* header = mapping_->at<LetterHeader>(offset);
  header->bytes = bytes;
  header->in_circle = 1;
  own_->circle_letters[place].store(offset, std::memory_order_relaxed);
  return {offset, bytes};
}

std::optional<std::uint64_t> LetterCircle::find_room(std::uint64_t span, std::uint64_t from) const {
  std::uint64_t begin = from;
  for (const Piece& piece : pieces_) {
    if (piece.end <= begin) continue;
    if (piece.begin >= begin + span) break;
    begin = piece.end;
  }
  if (begin + span > bytes_) return {};
  return begin;
}

void LetterCircle::give_back(const LetterBlock& block) {
  erase(first_from(block.offset - base_));
}

std::vector<LetterCircle::Piece>::iterator LetterCircle::erase(std::vector<Piece>::iterator piece) {
  own_->circle_letters[piece->place].store(0, std::memory_order_relaxed);
  free_places_.push_back(piece->place);
  return pieces_.erase(piece);
}

std::vector<LetterCircle::Piece>::iterator LetterCircle::first_from(std::uint64_t begin) {
  return std::lower_bound(
      pieces_.begin(), pieces_.end(), begin,
      [](const Piece& piece, std::uint64_t wanted) { return piece.begin < wanted; });
}

void LetterCircle::release() {
  drop_inherited();
  if (base_ == 0 || !pieces_.empty()) return;
  own_->letter_circle.store(0, std::memory_order_relaxed);
  heap_.free(base_, bytes_);
  base_ = cursor_ = 0;
  until_attempt_ = letters_without;
}

}  // namespace tutti::transport::shm
