// SPDX-License-Identifier: BSD-3-Clause
// Sleep and wake. A process that goes to sleep shows that it does and then polls once more. Another
// process stores what the sleeper may be waiting for and then asks whether it sleeps. One of the
// two must see the other's store, so each passes a fence between its store and its load. Stores are
// frequent and sleep is rare. Therefore a process that goes to sleep makes all others pass a fence
// (membarrier), and those that store have none of their own (docs/internals/shared-memory.md,
// "Fences at sleep"). Waiter, channels, mail and services use it.
//
// These are the pairs. The process named first publishes or changes the word and then asks for
// Endpoint::waiter of the other. The other polls the word by see().
// Line::stamp goes from the sender of a packet to its receiver.
// HandoverSlot::written and claims go from the sender of a long message to its receiver, and read,
// claims and state from the receiver to the sender.
// LineRing::consumed of a channel goes from the receiver to a sender that lacks room.
// Endpoint::taken goes from the receiver of mail to a sender that drains. The receiver asks for
// Endpoint::draining of the sender first.
// Endpoint::credited goes from the receiver of mail to a sender that has reached its bound.
// LentHeader::readers goes from the receiver of mail to a sender that lacks memory.
// LentHeader::written goes from the sender of a message that is read while it is written to its
// receiver. SegmentHeader::directory goes from the maker of a record to all that need it.
// ArrivalCounter::round_ goes from the process that arrives last to those that have arrived.
// A supervisor exchanges Endpoint::waiter without asking, after it has shown the end of a process,
// counted a standstill or published SegmentHeader::ending.
#pragma once

#include <atomic>
#include <cstdint>

#include "transport/shm/segment.hpp"

namespace tutti::transport::shm {

// Lets other processes make this one pass a fence. Returns false where the system refuses.
[[nodiscard]] bool take_part_in_fences();
// Makes all processes that take part pass a fence before it returns, this one included. If the
// system refuses, only this one does.
void fence_others();
// Makes this process pass a fence.
void fence_self();

// Called by a process that has mapped the segment. If it cannot take part, all who ask pass a fence
// of their own from now on.
void join_fences(SegmentHeader& header);

// Returns true if `word` is set, by which another process asks to be woken. Called after the store
// that it may be waiting for.
[[nodiscard]] inline bool asks(const SegmentHeader& header, const Shared<std::uint32_t>& word) {
  if (header.fences_at_sleep.peek() != 0) [[likely]]
    std::atomic_signal_fence(std::memory_order_seq_cst);
  else
    fence_self();
  return word.peek() != 0;
}

}  // namespace tutti::transport::shm
