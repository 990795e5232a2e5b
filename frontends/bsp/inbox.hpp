// SPDX-License-Identifier: BSD-3-Clause
// The messages of the last superstep, which are read where their senders wrote them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stream.hpp"

namespace tutti::bsp {

class Traffic;

// The header before the tag and the payload of a message.
struct MessageHeader {
  std::uint64_t bytes;
};

struct ReceivedMessage {
  std::byte* tag;
  std::byte* payload;
  std::uint64_t bytes;
};

class MessageQueue {
 public:
  // Replaces the messages of the superstep before.
  void fill(const Traffic& traffic, int count, std::uint64_t tag_size);

  [[nodiscard]] std::uint64_t messages() const { return messages_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t tag_size() const { return tag_size_; }
  // first and drop_first need a message in the queue.
  [[nodiscard]] ReceivedMessage first() const;
  void drop_first(const Traffic& traffic);

 private:
  void find_next(const Traffic& traffic);

  struct Source {
    int pid;
    const StreamBlock* block;
  };
  std::vector<Source> sources_;  // in reverse order: the current one is last
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
  std::uint64_t messages_ = 0, bytes_ = 0, tag_size_ = 0;
};

}  // namespace tutti::bsp
