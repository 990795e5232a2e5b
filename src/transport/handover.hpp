// SPDX-License-Identifier: BSD-3-Clause
// A long message without packets. A receiver that waits offers the sender to take the message where
// it goes, and the sender may hand over what it has not sent yet. Then one of the two, or both,
// copy it once, from the memory of the sender into that of the receiver. No send waits for a
// receiver that is not there: without an offer, packets go. Channels implement it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/label.hpp"

namespace tutti::transport {

// Both ends know this about a message.
struct LongMessage {
  Label label;
  std::uint64_t total = 0;  // bytes
  std::uint64_t first = 0;  // number of its first packet on the channel; 0: the next one
};

struct Offer {
  LongMessage message;
  std::byte* to = nullptr;  // of its first byte; nullptr: the receiver combines the bytes
  bool waits = false;       // the receiver does nothing else until it has the message
};

// A place for a message of the mailbox, for which a receiver waits that does nothing else.
struct MailOffer {
  static constexpr int anybody = -1;
  int source = anybody;
  Label wanted, mask;  // the bits of the key that `mask` has must be those of `wanted`
  std::byte* to = nullptr;
  std::uint64_t most = 0;  // bytes of the message
  bool shorter = false;    // it may also be shorter
};

// The answer to a sender that would hand over the rest of a message.
enum class HandedOver : std::uint8_t {
  no,  // packets go
  yes,
  soon  // packets go, but short ones: the receiver may make an offer that saves the others
};

// Tells what help() has done for a message that was handed over. `returned`: an end could not copy
// it, and the rest must be sent in packets.
enum class Helped : std::uint8_t { nothing, progress, done, returned };

struct Rest {
  LongMessage message;
  const std::byte* from = nullptr;  // of its first byte
  std::uint64_t done = 0;           // bytes that were sent in packets
  std::uint32_t part = 0;           // a receiver that combines takes so many bytes at a time
  bool one_way = false;             // the sender has time to copy
  bool may_wait = false;            // it also has time to wait for an offer
};

// How many messages an endpoint has handed over each way.
struct LongCounts {
  std::uint64_t in_place = 0;  // read in the memory of the sender
  std::uint64_t together = 0;  // copied once by one of the two ends, or by both
};

}  // namespace tutti::transport
