// SPDX-License-Identifier: BSD-3-Clause
// Takes memory in ring order: the next buffer begins where the last one ends, and buffers that are
// still to be read are passed over.
#include "transport/shm/send_ring.hpp"

#include <algorithm>

namespace tutti::transport::shm {
namespace {

std::uint64_t span_of(std::uint64_t bytes) {
  return (sizeof(BufferHeader) + bytes + line_bytes - 1) / line_bytes * line_bytes;
}

bool is_read(const BufferHeader& header) {
  return header.readers.see() == 0;
}

}  // namespace

SendRing::SendRing(const Mapping& mapping, int self)
    : mapping_(&mapping),
      own_(&mapping.endpoint(self)),
      heap_(mapping),
      bytes_(send_ring_bytes(mapping.header())),
      base_(own_->send_ring.peek()) {
  pieces_.reserve(places);
  if (base_ != 0) inherit();
  for (int place = places - 1; place >= 0; --place) {
    if (own_->ring_buffers[place].peek() == 0) free_places_.push_back(place);
  }
}

void SendRing::inherit() {
  for (int place = 0; place < places; ++place) {
    const std::uint64_t offset = own_->ring_buffers[place].peek();
    if (offset == 0) continue;
    const std::uint64_t begin = offset - base_;
    pieces_.insert(first_from(begin),
                   {.begin = begin,
                    .end = begin + span_of(mapping_->at<BufferHeader>(offset)->bytes),
                    .place = place,
                    .inherited = true});
    ++inherited_;
  }
}

void SendRing::drop_inherited() {
  for (auto piece = pieces_.begin(); inherited_ > 0 && piece != pieces_.end();) {
    if (!piece->inherited || !is_read(*mapping_->at<BufferHeader>(base_ + piece->begin))) {
      ++piece;
      continue;
    }
    --inherited_;
    piece = erase(piece);
  }
}

bool SendRing::have_ring() {
  if (base_ != 0) return true;
  if (until_attempt_-- > 0) return false;
  until_attempt_ = mapping_->tuning().retry_ring;
  base_ = heap_.allocate(bytes_).value_or(0);
  own_->send_ring.put(base_);
  return base_ != 0;
}

BufferBlock SendRing::take(std::uint64_t bytes) {
  if (!have_ring()) return {};
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
  auto* header = mapping_->at<BufferHeader>(offset);
  header->bytes = bytes;
  header->in_ring = 1;
  header->readers.put(0);
  header->untold.put(0);
  own_->ring_buffers[place].publish(offset);
  return {offset, bytes};
}

std::optional<std::uint64_t> SendRing::find_room(std::uint64_t span, std::uint64_t from) const {
  std::uint64_t begin = from;
  for (const Piece& piece : pieces_) {
    if (piece.end <= begin) continue;
    if (piece.begin >= begin + span) break;
    begin = piece.end;
  }
  if (begin + span > bytes_) return {};
  return begin;
}

void SendRing::give_back(const BufferBlock& block) {
  erase(first_from(block.offset - base_));
}

std::vector<SendRing::Piece>::iterator SendRing::erase(std::vector<Piece>::iterator piece) {
  own_->ring_buffers[piece->place].put(0);
  free_places_.push_back(piece->place);
  return pieces_.erase(piece);
}

std::vector<SendRing::Piece>::iterator SendRing::first_from(std::uint64_t begin) {
  return std::lower_bound(
      pieces_.begin(), pieces_.end(), begin,
      [](const Piece& piece, std::uint64_t wanted) { return piece.begin < wanted; });
}

void SendRing::release() {
  drop_inherited();
  if (base_ == 0 || !pieces_.empty()) return;
  own_->send_ring.put(0);
  heap_.free(base_, bytes_);
  base_ = cursor_ = 0;
  until_attempt_ = mapping_->tuning().retry_ring;
}

}  // namespace tutti::transport::shm
