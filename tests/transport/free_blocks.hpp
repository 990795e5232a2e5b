// SPDX-License-Identifier: BSD-3-Clause
// Counts the blocks of the heap that are free, and those that kills lose.
#pragma once

#include <gtest/gtest.h>

#include <set>

#include "faults/stepped.hpp"
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

// Kills a process that does act(scene) after every so many instructions, each time in a new scene.
// After clean_up(scene), scene.lost() says how many blocks nobody has: at most one.
template <class Scene, class Act, class CleanUp>
void expect_few_losses(int stride, const Act& act, const CleanUp& clean_up) {
  int kills = 0;
  std::size_t losses = 0;
  for (bool ended = false; !ended; ++kills) {
    Scene scene;
    ended = test::is_made_within(kills * stride, [&] { act(scene); });
    clean_up(scene);
    const std::size_t lost = scene.lost();
    ASSERT_LE(lost, 1U) << "after " << kills * stride << " instructions";
    losses += lost;
  }
  EXPECT_GT(kills, 20);
  EXPECT_LT(losses, static_cast<std::size_t>(kills) / 2) << "few instructions lose anything";
}

}  // namespace tutti::transport::shm
