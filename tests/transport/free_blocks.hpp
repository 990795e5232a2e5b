// SPDX-License-Identifier: BSD-3-Clause
// Counts the blocks of the heap that are free.
#pragma once

#include <gtest/gtest.h>

#include <set>

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {

// Takes all free blocks of this size off the heap, at most `most`. Returns how many there were.
inline std::size_t free_blocks(const Mapping& mapping, std::size_t bytes, std::size_t most) {
  Heap heap(mapping);
  const std::uint64_t end = mapping.header().heap_top.see();
  std::set<std::uint64_t> found;
  while (found.size() < most) {
    const auto offset = heap.allocate(bytes);
    if (!offset || *offset >= end) break;
    EXPECT_TRUE(found.insert(*offset).second) << "a block was freed twice";
  }
  return found.size();
}

}  // namespace tutti::transport::shm
