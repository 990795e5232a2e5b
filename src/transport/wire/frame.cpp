// SPDX-License-Identifier: BSD-3-Clause
// Allocates, keeps and frees the memory of frames.
#include "transport/wire/frame.hpp"

#include <new>

namespace tutti::transport::wire {
namespace {

constexpr std::align_val_t alignment{Frame::margin};

void release(Frame frame) {
  ::operator delete(frame.base(), alignment);
}

}  // namespace

FramePool::~FramePool() {
  for (const Frame frame : small_) release(frame);
  for (const Frame frame : large_) release(frame);
}

Frame FramePool::take(std::uint64_t payload_bytes) {
  const std::uint64_t capacity = payload_bytes <= small   ? small
                                 : payload_bytes <= large ? large
                                                          : payload_bytes;
  if (capacity <= large) {
    std::vector<Frame>& kept = capacity == small ? small_ : large_;
    if (!kept.empty()) {
      const Frame frame = kept.back();
      kept.pop_back();
      return frame;
    }
  }
  const Frame frame(static_cast<std::byte*>(::operator new(Frame::margin + capacity, alignment)));
  frame.capacity() = capacity;
  return frame;
}

void FramePool::give_back(Frame frame) {
  std::vector<Frame>& kept = frame.capacity() == small ? small_ : large_;
  if (frame.capacity() > large || kept.size() >= most_kept_) return release(frame);
  kept.push_back(frame);
}

}  // namespace tutti::transport::wire
