// SPDX-License-Identifier: BSD-3-Clause
// Finds gaps between the parts that are lent.
#include "transport/shm/next_fit.hpp"

#include <algorithm>

namespace tutti::transport::shm {

NextFit::Node NextFit::take(std::uint64_t bytes, std::uint64_t window) {
  Node before = last_;
  std::uint64_t begin = cursor_;
  for (int look = 0; look < looks; ++look) {
    const Node next = nodes_[before].next;
    if (begin + bytes <= (next == 0 ? window : std::min(window, nodes_[next].begin))) {
      cursor_ = begin + bytes;
      return last_ = insert(begin, cursor_, before);
    }
    before = next;
    begin = nodes_[next].end;  // 0 behind the last part: the search goes on at the ring's begin
  }
  return 0;
}

NextFit::Node NextFit::keep(std::uint64_t begin, std::uint64_t end) {
  Node before = 0;
  while (nodes_[before].next != 0 && nodes_[nodes_[before].next].begin < begin)
    before = nodes_[before].next;
  return insert(begin, end, before);
}

NextFit::Node NextFit::insert(std::uint64_t begin, std::uint64_t end, Node before) {
  Node node = free_;
  if (node == 0) {
    node = static_cast<Node>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[node].next;
  }
  const Node next = nodes_[before].next;
  nodes_[node] = {begin, end, before, next};
  nodes_[before].next = node;
  nodes_[next].before = node;
  return node;
}

void NextFit::free(Node node) {
  Part& part = nodes_[node];
  nodes_[part.before].next = part.next;
  nodes_[part.next].before = part.before;
  if (last_ == node) last_ = part.before;
  part = {.next = free_};
  free_ = node;
}

}  // namespace tutti::transport::shm
