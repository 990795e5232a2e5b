// SPDX-License-Identifier: BSD-3-Clause
// A writer publishes a value and then checks whether the reader sleeps. A reader marks itself
// asleep and then looks once more. One of the two must see the other's store, which takes a fence
// between the store and the look on both sides. Stores are frequent and sleep is rare, so a process
// that goes to sleep makes all others pass a fence (membarrier), and stores go without (decision
// 0038).
#pragma once

#include <atomic>
#include <cstdint>

#include "transport/shm/segment.hpp"

namespace tutti::transport::shm {

// This process lets others fence it. False where the system refuses.
[[nodiscard]] bool take_part_in_fences();
// All processes that take part have passed a fence when this returns. Should the system refuse now,
// wake-ups may be missed, at the price of a nap each.
void fence_others();

// Takes part in these fences. If the process that has mapped the segment cannot take part, all
// stores have fences of their own from now on.
void join_fences(SegmentHeader& header);

// A store that another process may be waiting for; `awaited` can then be asked whether it sleeps.
template <class Number>
void store_fenced(const SegmentHeader& header, std::atomic<Number>& awaited, Number value) {
  if (header.fences_at_sleep.load(std::memory_order_relaxed) != 0) [[likely]] {
    awaited.store(value, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } else {
    awaited.store(value);
  }
}

}  // namespace tutti::transport::shm
