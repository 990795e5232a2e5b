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
  for (const Frame frame : short_) release(frame);
  for (const Frame frame : long_) release(frame);
}

Frame FramePool::take(std::uint64_t payload_bytes) {
  const std::uint64_t capacity = payload_bytes <= short_bytes_  ? short_bytes_
                                 : payload_bytes <= long_bytes_ ? long_bytes_
                                                                : payload_bytes;
  if (capacity <= long_bytes_) {
    std::vector<Frame>& kept = capacity == short_bytes_ ? short_ : long_;
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
  std::vector<Frame>& kept = frame.capacity() == short_bytes_ ? short_ : long_;
  if (frame.capacity() > long_bytes_ || kept.size() >= most_kept_) return release(frame);
  kept.push_back(frame);
}

}  // namespace tutti::transport::wire
