// SPDX-License-Identifier: BSD-3-Clause
// The handing over of long messages in shared memory (transport/handover.hpp): one object for the
// messages that come from a peer, and one for those that go to it. The slot of the ring between the
// two has the offer, and counts what both have claimed and copied.
//
// The place of the bytes decides who can copy them. Each process reaches the segment and its own
// memory. It reaches the memory of the other where the system permits it (reach.hpp). If both ends
// can copy, both claim pieces. If the receiver alone copies, out of the segment, it
// gets the message as packets whose bytes lie in the memory of the sender. So it can combine them.
#pragma once

#include <cstdint>

#include "transport/handover.hpp"
#include "transport/progressable.hpp"
#include "transport/shm/line_ring.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/reach.hpp"

namespace tutti::transport::shm {

// The side of the receiver.
class Taking {
 public:
  explicit Taking(const Mapping& mapping) : mapping_(&mapping) {}

  // Makes this offer unless it stands already. `next` is the number of the next
  // packet. Returns true if the offer is new.
  bool offer(HandoverSlot& slot, const Offer& offer, std::uint64_t next, Reach& peer);
  // Takes the offer back, if it is about memory at `to`. The sender may have accepted it. Then the
  // pieces that it is copying are waited for, and it claims no more.
  void withdraw(HandoverSlot& slot, const std::byte* to, int peer);
  // Copies a piece. Returns `done` when all are copied.
  [[nodiscard]] Look copy(HandoverSlot& slot, Reach& peer);

 private:
  [[nodiscard]] bool take_back(HandoverSlot& slot);
  void finish(HandoverSlot& slot);

  const Mapping* mapping_;
  std::uint64_t offered_ = 0;  // the state of the slot with the offer that stands; 0: none
  Offer offer_{};
  std::uint64_t first_ = 0;
};

// The side of the sender.
class Handing {
 public:
  explicit Handing(const Mapping& mapping) : mapping_(&mapping) {}

  // This is told to the receiver about a message for which it has asked.
  struct Accepted {
    std::uint32_t kind = 0;  // of the packet; 0: the offer does not fit, or packets are faster
    std::uint64_t offset = 0;
    bool refused = false;  // the offer is about this message
  };
  // Accepts the offer if it is about this message, whose next packet has the number `next`.
  [[nodiscard]] Accepted accept(HandoverSlot& slot, const Rest& rest, std::uint64_t next,
                                Reach& peer);
  // Copies a piece if this side takes part. Returns `done` when all are copied. The receiver need
  // not have noticed it.
  [[nodiscard]] Look copy(HandoverSlot& slot, Reach& peer);
  // Claims no more, and waits for the piece that the receiver is copying.
  void give_up(HandoverSlot& slot, int peer);

 private:
  [[nodiscard]] bool is_over(const HandoverSlot& slot) const;

  const Mapping* mapping_;
  // These are about the message that was handed over last. Its reader may make the next offer at
  // any time.
  std::uint32_t number_ = 0;  // of the offer
  bool copies_ = false;       // this side takes part
  std::uint64_t from_ = 0, to_ = 0, pieces_ = 0;
  std::uint64_t copied_ = 0;  // pieces that this side has copied
};

}  // namespace tutti::transport::shm
