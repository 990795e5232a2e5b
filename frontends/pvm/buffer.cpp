// SPDX-License-Identifier: BSD-3-Clause
// Copies values into and out of message buffers (buffer.hpp).
#include "buffer.hpp"

#include <tutti-pvm/pvm3.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace tutti::pvm {
namespace {

// gather and spread copy elements that lie `stride` elements apart on one side.
void gather(std::byte* to, const std::byte* from, std::size_t element, int count, int stride) {
  const std::size_t step = element * static_cast<std::size_t>(stride);
  for (int i = 0; i < count; ++i, to += element, from += step) std::memcpy(to, from, element);
}

void spread(std::byte* to, const std::byte* from, std::size_t element, int count, int stride) {
  const std::size_t step = element * static_cast<std::size_t>(stride);
  for (int i = 0; i < count; ++i, to += step, from += element) std::memcpy(to, from, element);
}

}  // namespace

Bytes::~Bytes() {
  std::free(data_);
}

std::byte* Bytes::extend(std::size_t count) {
  if (data_ == nullptr || count > capacity_ - size_) {
    const std::size_t wanted =
        std::max({size_ + count, capacity_ + capacity_ / 2, std::size_t{256}});
    if (size_ == 0) std::free(std::exchange(data_, nullptr));  // there is nothing to copy
    auto* grown = static_cast<std::byte*>(std::realloc(data_, wanted));
    if (grown == nullptr) {
      if (data_ == nullptr) capacity_ = 0;
      return nullptr;
    }
    data_ = grown;
    capacity_ = wanted;
  }
  return data_ + std::exchange(size_, size_ + count);
}

int MessageBuffer::pack(const void* data, std::size_t element, int count, int stride) {
  if (count < 0 || stride < 1 || (data == nullptr && count > 0)) return PvmBadParam;
  const auto* from = static_cast<const std::byte*>(data);
  const std::size_t bytes = element * static_cast<std::size_t>(count);
  if (in_place()) {
    pieces_.push_back({from, element, count, stride});
    in_place_bytes_ += bytes;
    return PvmOk;
  }
  std::byte* to = bytes_.extend(bytes);
  if (to == nullptr) return PvmNoMem;
  if (stride == 1) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  } else {
    gather(to, from, element, count, stride);
  }
  return PvmOk;
}

int MessageBuffer::unpack(void* data, std::size_t element, int count, int stride) {
  if (count < 0 || stride < 1 || (data == nullptr && count > 0)) return PvmBadParam;
  const std::size_t bytes = element * static_cast<std::size_t>(count);
  if (bytes > left()) return PvmNoData;
  const std::byte* from = bytes_.data() + std::exchange(at_, at_ + bytes);
  auto* to = static_cast<std::byte*>(data);
  if (stride == 1) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  } else {
    spread(to, from, element, count, stride);
  }
  return PvmOk;
}

// Packs the length of the text, including its final 0, and then its characters.
int MessageBuffer::pack_text(const char* text) {
  if (text == nullptr) return PvmBadParam;
  if (in_place()) return PvmNotImpl;
  const std::size_t bytes = std::strlen(text) + 1;
  if (bytes > INT_MAX) return PvmOverflow;
  const int length = static_cast<int>(bytes);
  const int status = pack(&length, sizeof length, 1, 1);
  return status != PvmOk ? status : pack(text, 1, length, 1);
}

int MessageBuffer::unpack_text(char* text) {
  if (text == nullptr) return PvmBadParam;
  const std::size_t before = at_;
  int length = 0;
  const int status = unpack(&length, sizeof length, 1, 1);
  if (status != PvmOk) return status;
  const bool fits = length > 0 && static_cast<std::size_t>(length) <= left();
  if (fits && unpack(text, 1, length, 1) == PvmOk) return PvmOk;
  at_ = before;
  return length < 1 ? PvmBadMsg : PvmNoData;
}

bool MessageBuffer::in_place() const {
  return encoding_ == PvmDataInPlace;
}

bool MessageBuffer::flatten() {
  if (!in_place()) return true;
  bytes_.clear();
  for (const Piece& piece : pieces_) {
    std::byte* to = bytes_.extend(piece.element * static_cast<std::size_t>(piece.count));
    if (to == nullptr) return false;
    gather(to, piece.data, piece.element, piece.count, piece.stride);
  }
  return true;
}

MessageBuffer* MessageBuffers::make(int encoding) {
  last_ = last_ == INT_MAX ? 1 : last_ + 1;
  while (all_.contains(last_)) ++last_;
  return all_.emplace(last_, std::make_unique<MessageBuffer>(last_, encoding)).first->second.get();
}

MessageBuffer* MessageBuffers::find(int number) const {
  const auto found = all_.find(number);
  return found == all_.end() ? nullptr : found->second.get();
}

void MessageBuffers::free(int number) {
  if (MessageBuffer* const buffer = find(number)) {
    Bytes freed;
    buffer->swap_memory(freed);
    freed.clear();
    if (freed.room() > spare_.room()) spare_.swap(freed);
  }
  all_.erase(number);
  if (send_ == number) send_ = 0;
  if (receive_ == number) receive_ = 0;
}

int MessageBuffers::set_sending(int number) {
  return std::exchange(send_, number);
}

int MessageBuffers::set_receiving(int number) {
  return std::exchange(receive_, number);
}

}  // namespace tutti::pvm
