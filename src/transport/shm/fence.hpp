// SPDX-License-Identifier: BSD-3-Clause
// Who stores what another process may be waiting for looks afterwards whether that one sleeps, who
// goes to sleep looks once more after it has said so, and one of the two looks must see the other's
// store. On its own processor either needs a fence between its store and its look. Stores are
// frequent and sleep is rare: so who goes to sleep makes all others pass one (membarrier), and
// stores go without (decision 0038).
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

// Of a process that has mapped the segment: unless it takes part, stores have fences of their own
// from now on.
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
