// SPDX-License-Identifier: BSD-3-Clause
// Frames, which travel over the wire: a header and a payload in one piece of memory, sent as one
// message. The link sends and receives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tuning.hpp"
#include "transport/transport.hpp"

namespace tutti::transport::wire {

enum class FrameKind : std::uint32_t {
  packet,  // a packet of the collective lane
  room,    // the sender of this frame has released `total` packets
  mail,    // a mailbox message
  // Announces a mailbox message whose `total` bytes follow as a message of their own.
  buffer,
  // Asks the receiver to report what it has taken, now and when these are `total` messages.
  ask,
  taken,     // the sender of this frame has taken `total` mailbox messages so far
  credited,  // the sender of this frame has credited `total` bytes so far, see Mail
  good_bye   // the last frame from this process
};

struct FrameHeader {
  FrameKind kind;
  std::uint32_t bytes;  // length of the payload
  Label label;          // label of the packet, or key of the mailbox message
  std::uint64_t total;
};

// The memory of a frame. The payload begins at a cache line, and the header stands right before it.
class Frame {
 public:
  static constexpr std::size_t margin = 64;

  Frame() = default;
  explicit Frame(std::byte* base) : base_(base) {}

  [[nodiscard]] explicit operator bool() const { return base_ != nullptr; }
  [[nodiscard]] std::byte* base() const { return base_; }
  [[nodiscard]] std::byte* payload() const { return base_ + margin; }
  [[nodiscard]] FrameHeader& header() const { return *reinterpret_cast<FrameHeader*>(message()); }
  // Start of the bytes that are sent: the header.
  [[nodiscard]] std::byte* message() const { return base_ + margin - sizeof(FrameHeader); }
  // Most bytes that the payload can have. The number is kept before the header and is not sent.
  [[nodiscard]] std::uint64_t& capacity() const { return *reinterpret_cast<std::uint64_t*>(base_); }

 private:
  std::byte* base_ = nullptr;
};

// Keeps returned frames of two sizes for later use: short ones, and those that hold a fragment.
// Larger frames are allocated and freed each time.
class FramePool {
 public:
  explicit FramePool(const base::Tuning& tuning)
      : most_kept_(static_cast<std::size_t>(tuning.frames_kept)),
        short_bytes_(static_cast<std::uint64_t>(tuning.short_frame)),
        long_bytes_(static_cast<std::uint64_t>(tuning.fragment)) {}
  ~FramePool();
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  // Returns the length of a frame that holds a fragment.
  [[nodiscard]] std::uint64_t long_bytes() const { return long_bytes_; }
  [[nodiscard]] Frame take(std::uint64_t payload_bytes);
  void give_back(Frame frame);

 private:
  std::size_t most_kept_;
  std::uint64_t short_bytes_, long_bytes_;
  std::vector<Frame> short_, long_;
};

}  // namespace tutti::transport::wire
