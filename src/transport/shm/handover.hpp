// SPDX-License-Identifier: BSD-3-Clause
// The handing over of long messages in shared memory (transport/handover.hpp): one object for the
// messages that come, and one for those that go. A slot has the offer, and counts what both ends
// have claimed and copied. Channels have it in the ring between the two, where one sender may
// accept. Mail has it in the endpoint of the receiver, where the first sender accepts.
//
// The place of the bytes decides who can copy them. Each process reaches the segment and its own
// memory. It reaches the memory of the other where the system permits it (reach.hpp). If both ends
// can copy, both claim pieces. If the receiver alone copies, out of the segment, it gets the
// message as packets whose bytes lie in the memory of the sender. So it can combine them.
#pragma once

#include <cstdint>

#include "transport/handover.hpp"
#include "transport/progressable.hpp"
#include "transport/shm/line_ring.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/reach.hpp"

namespace tutti::transport::shm {

// Says about which messages an offer is.
struct OfferTerms {
  Label label;
  Label mask{~std::uint64_t{0}, ~std::uint32_t{0}};  // the bits of `label` that matter
  std::uint64_t most = 0;                            // bytes of the message
  bool shorter = false;                              // the message may also be shorter
  std::uint64_t first = 0;          // number of its first packet; 0: it has no packets
  int source = MailOffer::anybody;  // endpoint
  std::byte* to = nullptr;          // of its first byte; nullptr: the receiver combines the bytes
  bool waits = false;               // the receiver does nothing else until it has the message
  bool reaches = false;             // the receiver can copy from the memory of the sender

  friend bool operator==(const OfferTerms&, const OfferTerms&) = default;
};

// Takes back what the last process of the slot has offered.
void forget_offers(HandoverSlot& slot);

// The side of the receiver.
class Taking {
 public:
  explicit Taking(const Mapping& mapping) : mapping_(&mapping) {}

  // Makes this offer unless it stands already. Returns true if the offer is new.
  bool offer(HandoverSlot& slot, const OfferTerms& terms);
  [[nodiscard]] bool stands() const { return offered_ != 0; }
  // Takes the offer back. Returns false if a sender has accepted it.
  [[nodiscard]] bool take_back(HandoverSlot& slot);
  // Takes the offer back also if a sender has accepted it: waits for the pieces that it is copying,
  // and it claims no more. Returns true if all of the message has come; otherwise the sender has it
  // back.
  bool withdraw(HandoverSlot& slot);

  // The sender that has accepted the offer.
  struct Accepted {
    int source = -1;        // endpoint; -1: nobody has
    bool answered = false;  // the sender has said how the message is copied, and what it is
  };
  [[nodiscard]] Accepted accepted(const HandoverSlot& slot) const;
  // The message that has come by the last offer.
  [[nodiscard]] static LongMessage message(const HandoverSlot& slot);
  // Copies a piece. Returns `done` when all are copied, and `nothing` if it has no piece to copy.
  [[nodiscard]] Look copy(HandoverSlot& slot, Reach& peer);
  // Returns true if no piece can be claimed any more, although some were not copied: the sender has
  // given up the message, or an end could not copy a piece. The second tells these apart.
  [[nodiscard]] bool is_given_up(const HandoverSlot& slot) const;
  [[nodiscard]] bool has_failed(const HandoverSlot& slot) const;

  [[nodiscard]] const OfferTerms& terms() const { return terms_; }

 private:
  void finish(HandoverSlot& slot);
  // Closes the claims, of which this end has these pieces, and waits for what the sender copies.
  void end_claims(HandoverSlot& slot, std::uint64_t pieces);

  const Mapping* mapping_;
  std::uint64_t offered_ = 0;  // the state of the slot with the offer that stands; 0: none
  OfferTerms terms_{};
};

// The side of the sender.
class Handing {
 public:
  explicit Handing(const Mapping& mapping, int self) : mapping_(&mapping), self_(self) {}

  // This is told to the receiver about a message for which it has asked.
  struct Accepted {
    std::uint32_t kind = 0;  // of the packet; 0: the offer does not fit, or packets are faster
    std::uint64_t offset = 0;
    bool refused = false;  // the offer is about this message
  };
  // Accepts the offer if it is about this message, which goes on with the packet `next`, 0 if it
  // has no packets.
  [[nodiscard]] Accepted accept(HandoverSlot& slot, const Rest& rest, std::uint64_t next,
                                Reach& peer);
  // Copies a piece if this side takes part. Returns `done` when all are copied. The receiver need
  // not have noticed it.
  [[nodiscard]] Look copy(HandoverSlot& slot, Reach& peer);
  // After `done`: returns true if an end could not copy a piece, so that the message must be sent.
  [[nodiscard]] bool has_failed(const HandoverSlot& slot) const;
  // Claims no more, and waits for the piece that the receiver is copying. Returns true if the
  // receiver has the message.
  bool give_up(HandoverSlot& slot, int peer);

 private:
  [[nodiscard]] bool fits(const HandoverSlot& slot, const LongMessage& message,
                          std::uint64_t first) const;
  [[nodiscard]] bool is_over(const HandoverSlot& slot) const;
  [[nodiscard]] int id_of_self() const {
    return endpoint_id(self_, mapping_->endpoint(self_).generation.peek());
  }

  const Mapping* mapping_;
  int self_;  // slot
  // These are about the message that was handed over last. Its reader may make the next offer at
  // any time.
  std::uint32_t number_ = 0;  // of the offer
  bool copies_ = false;       // this side takes part
  std::uint64_t from_ = 0, to_ = 0, pieces_ = 0;
  std::uint64_t copied_ = 0;  // pieces that this side has copied
};

}  // namespace tutti::transport::shm
