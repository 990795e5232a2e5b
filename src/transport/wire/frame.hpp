// SPDX-License-Identifier: BSD-3-Clause
// A frame travels between hosts: a header and a payload in one piece of memory, sent as one message
// of MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::transport::wire {

enum class FrameKind : std::uint32_t {
  packet,   // of the collective lane
  room,     // `total` packets have been let go of
  mail,     // a mailbox message
  buffer,   // the same, but its `total` bytes follow as a message of their own
  ask,      // `total` = 1: say from now on how many mailbox messages were taken; 0: no longer
  taken,    // `total` mailbox messages, ever
  good_bye  // the last frame from this process
};

struct FrameHeader {
  FrameKind kind;
  std::uint32_t bytes;  // of the payload
  std::uint64_t tag;    // key, in the mailbox lane
  std::uint64_t total;
};

// Memory of a frame. The payload begins a cache line, the header stands right before it.
class Frame {
 public:
  static constexpr std::size_t margin = 64;

  Frame() = default;
  explicit Frame(std::byte* base) : base_(base) {}

  [[nodiscard]] explicit operator bool() const { return base_ != nullptr; }
  [[nodiscard]] std::byte* base() const { return base_; }
  [[nodiscard]] std::byte* payload() const { return base_ + margin; }
  [[nodiscard]] FrameHeader& header() const { return *reinterpret_cast<FrameHeader*>(message()); }
  // Returns the memory that is sent.
  [[nodiscard]] std::byte* message() const { return base_ + margin - sizeof(FrameHeader); }
  // Returns the capacity of the payload, which is kept in front of it.
  [[nodiscard]] std::uint64_t& capacity() const { return *reinterpret_cast<std::uint64_t*>(base_); }

 private:
  std::byte* base_ = nullptr;
};

// Frames of two sizes are kept for the next one; larger ones come and go.
class FramePool {
 public:
  static constexpr std::uint64_t small = 256, large = 64 * 1024;

  FramePool() = default;
  ~FramePool();
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  [[nodiscard]] Frame take(std::uint64_t payload_bytes);
  void give_back(Frame frame);

 private:
  std::vector<Frame> small_, large_;
};

}  // namespace tutti::transport::wire
