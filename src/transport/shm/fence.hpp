// SPDX-License-Identifier: BSD-3-Clause
// A writer publishes a value and then checks whether the reader sleeps. A reader marks itself
// asleep and then polls once more. One of the two must see the other's store, so each needs a fence
// between its store and its load. Stores are frequent and sleep is rare. Therefore a process that
// goes to sleep makes all others pass a fence (membarrier), and stores go without one
// (docs/internals/shared-memory.md, "Fences at sleep"). Waiter, channels and mail use it.
#pragma once

#include <atomic>
#include <cstdint>

#include "transport/shm/segment.hpp"

namespace tutti::transport::shm {

// Lets other processes make this one pass a fence. Returns false where the system refuses.
[[nodiscard]] bool take_part_in_fences();
// Makes all processes that take part pass a fence before it returns. If the system refuses,
// wake-ups may be missed, at the price of one nap each.
void fence_others();

// Called by a process that has mapped the segment. If it cannot take part, all stores of the job
// carry their own fences from now on.
void join_fences(SegmentHeader& header);

// Stores a value that another process may be waiting for. The caller may then check whether that
// process sleeps.
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
