// SPDX-License-Identifier: BSD-3-Clause
// Says which parts of a ring of memory are lent. The next part begins where the last one ends, and
// parts that are still lent are passed over, so memory rests as long as possible before it is used
// again. It knows only numbers, and no memory. LentMemory uses it.
#pragma once

#include <cstdint>
#include <vector>

namespace tutti::transport::shm {

class NextFit {
 public:
  using Node = std::uint32_t;  // a part that is lent; 0 is none

  // Takes memory for many parts now: a call that has run before allocates nothing.
  explicit NextFit(std::uint64_t bytes) : bytes_(bytes), nodes_(1) { nodes_.reserve(first_parts); }

  // Lends the next part of so many bytes, within the first `window` bytes of the ring. Returns 0 if
  // the gaps behind the part lent last are too short; at most `looks` of them are looked at.
  [[nodiscard]] Node take(std::uint64_t bytes, std::uint64_t window);
  [[nodiscard]] Node take(std::uint64_t bytes) { return take(bytes, bytes_); }
  // Lends the part [begin, end), which lies beside all others.
  Node keep(std::uint64_t begin, std::uint64_t end);
  void free(Node node);

  // Returns true if a part that is lent begins there and has this node.
  [[nodiscard]] bool lends(Node node, std::uint64_t begin) const {
    return node > 0 && node < nodes_.size() && nodes_[node].begin == begin && nodes_[node].end != 0;
  }
  [[nodiscard]] bool empty() const { return nodes_[0].next == 0; }
  [[nodiscard]] std::uint64_t begin(Node node) const { return nodes_[node].begin; }
  // Returns the end of the part that was lent last.
  [[nodiscard]] std::uint64_t cursor() const { return cursor_; }
  // Lends from the beginning of the ring again. Nothing is lent now.
  void begin_anew() { cursor_ = 0; }

 private:
  static constexpr int looks = 8;
  static constexpr Node first_parts = 256;

  // The parts in the order of their places, linked both ways. Node 0 stands before the first and
  // behind the last; a free node has `end` 0 and its successor in the list of free nodes as `next`.
  struct Part {
    std::uint64_t begin = 0, end = 0;
    Node before = 0, next = 0;
  };
  Node insert(std::uint64_t begin, std::uint64_t end, Node before);

  std::uint64_t bytes_;
  std::vector<Part> nodes_;
  Node free_ = 0;
  Node last_ = 0;             // the part before the cursor, 0 if there is none
  std::uint64_t cursor_ = 0;  // end of the part lent last
};

}  // namespace tutti::transport::shm
