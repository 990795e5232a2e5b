// SPDX-License-Identifier: BSD-3-Clause
// The two ends of a ring, for either lane. A writer makes its ring at first contact and shows it in
// the entry of its reader. A ring of the mailbox lane grows by links to further rings, and so never
// lacks room; one of the collective lane has a byte ring beside its lines. Channels and mail use
// the two classes; slots.cpp and mail free what is left of a ring.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "transport/shm/line_ring.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/wake.hpp"
#include "transport/store_policy.hpp"

namespace tutti::transport::shm {

// Entry of Endpoint::inbound: the ring that the receiver reads at present, and the generation of
// the receiver. A sender that has not noticed a change of generation cannot reach the new process.
[[nodiscard]] constexpr std::uint64_t ring_entry(std::uint64_t ring, std::uint32_t generation) {
  return ring | std::uint64_t{generation} << 40;
}
[[nodiscard]] constexpr std::uint64_t ring_of(std::uint64_t entry) {
  return entry & ((std::uint64_t{1} << 40) - 1);
}
[[nodiscard]] constexpr std::uint32_t receiver_generation_of(std::uint64_t entry) {
  return static_cast<std::uint32_t>(entry >> 40);
}

// Payloads of the collective lane that lie beside the lines, as one of the two ends counts them.
struct PayloadCount {
  PayloadPlaces places;
  std::uint64_t freed = 0;  // bytes that the reader has published as released
};
struct NoPayloads {};
template <Lane lane>
using PayloadsBeside = std::conditional_t<lane == Lane::collective, PayloadCount, NoPayloads>;

constexpr int no_peer = std::numeric_limits<int>::min();

template <Lane lane>
class RingWriter {
 public:
  RingWriter() = default;
  // `self` is a slot, `peer` an endpoint of any generation.
  RingWriter(const Mapping& mapping, int self, int peer)
      : mapping_(&mapping), target_(&mapping.endpoint(slot_of(peer))), self_(self), peer_(peer) {}

  [[nodiscard]] int peer() const { return peer_; }
  [[nodiscard]] bool connected() const { return ring_ != nullptr; }
  // Makes the first ring and shows it to the peer. Returns false if there is no memory for it.
  // Throws Error(peer_left) if nobody will read there.
  [[nodiscard]] bool connect();

  // Returns the line for the next packet. Returns nullptr if the reader is behind, or in the
  // mailbox lane if there is no memory for a further ring. Throws as connect() does.
  [[nodiscard]] Line* room() {
    if (lines_ < room_until_) [[likely]]
      return &line();
    return make_room() ? &line() : nullptr;
  }
  // The line that room() has returned last.
  [[nodiscard]] Line& line() { return ring_->line(lines_); }
  // Returns the place beside the ring for the payload of the next packet, which is too long for the
  // line and has at most most_inline bytes.
  [[nodiscard]] std::byte* payload_place(std::uint64_t bytes) requires(lane == Lane::collective) {
    const std::uint64_t place = beside_.places.take(bytes);
    if (!has_room_beside()) room_until_ = lines_ + 1;
    return reinterpret_cast<PacketRing*>(ring_)->payloads + place;
  }
  // Sends the packet in this line, and wakes the reader if it sleeps.
  void publish(Line& line) {
    line.stamp.publish(stamp_of(lines_++));
    wake_if_asleep(mapping_->header(), *target_);
  }

  // Returns the slot in which the reader offers to take a message; nullptr if there is no ring.
  [[nodiscard]] HandoverSlot* handover() const requires(lane == Lane::collective) {
    return ring_ == nullptr ? nullptr : &reinterpret_cast<PacketRing*>(ring_)->handover;
  }
  // Number of packets sent.
  [[nodiscard]] std::uint64_t sent() const { return before_ + lines_; }
  // Returns true if the reader is known to have taken the first `packets` packets. The shared count
  // is loaded only if the last one was too low.
  [[nodiscard]] bool taken(std::uint64_t packets) {
    if (taken_ < packets) {
      taken_ = distance_.load(mapping_->tuning(), count(),
                              [this](std::uint64_t found) { return found > taken_; });
    }
    return taken_ >= packets;
  }
  // How far the reader is. The loads of its counts say it.
  [[nodiscard]] PeerDistance& distance() { return distance_; }
  // Number of packets that the reader has not published as taken.
  [[nodiscard]] std::uint64_t pending() const { return sent() - count().see(); }
  // Returns the oldest of them, or nullptr if there are none.
  [[nodiscard]] const Line* oldest_pending() requires(lane == Lane::collective) {
    return taken(sent()) ? nullptr : &ring_->line(taken_);
  }
  // Frees the rings and what is in them, which then counts as taken. The peer has gone.
  void drop();

 private:
  [[nodiscard]] bool is_awaited() const;
  void require_peer() const;
  [[nodiscard]] bool make_room();
  [[nodiscard]] bool link_new_ring() requires(lane == Lane::mailbox);
  [[nodiscard]] bool has_room_beside() const requires(lane == Lane::collective) {
    return beside_.places.end() + PayloadPlaces::most <= beside_.freed + PacketRing::payload_bytes;
  }
  // The number of packets that the reader has published as taken.
  [[nodiscard]] const Shared<std::uint64_t>& count() const {
    if constexpr (lane == Lane::mailbox) return target_->taken[self_];
    return ring_->consumed;
  }

  const Mapping* mapping_ = nullptr;
  Endpoint* target_ = nullptr;
  LineRing* ring_ = nullptr;
  std::uint64_t lines_ = 0;       // written to the present ring
  std::uint64_t room_until_ = 0;  // number of lines that may be written before a look at the reader
  std::uint64_t before_ = 0;      // packets in former rings
  std::uint64_t taken_ = 0;       // packets known to be taken
  PeerDistance distance_;
  [[no_unique_address]] PayloadsBeside<lane> beside_;
  int self_ = -1;
  int peer_ = no_peer;
};

// Tells whether the sender waits for the memory of a packet.
enum class Tell : std::uint8_t { in_time, now };

template <Lane lane>
class RingReader {
 public:
  RingReader() = default;
  // `self` is a slot, `peer` an endpoint of any generation.
  RingReader(const Mapping& mapping, int self, int peer)
      : mapping_(&mapping),
        own_(&mapping.endpoint(self)),
        sender_(&mapping.endpoint(slot_of(peer))),
        tell_every_(static_cast<std::uint64_t>(mapping.tuning().publish_every)),
        self_(self),
        peer_(peer) {}

  [[nodiscard]] int peer() const { return peer_; }
  // Finds the ring of the peer. Returns false if the peer has shown none to this process.
  [[nodiscard]] bool accept();

  // Returns the oldest packet not yet popped, or nullptr.
  [[nodiscard]] const Line* next() {
    if (ring_ == nullptr && !accept()) [[unlikely]]
      return nullptr;
    const Line& line = ring_->line(lines_);
    if (line.stamp.see() != stamp_of(lines_)) return nullptr;
    if (lane == Lane::mailbox && is_link(line)) [[unlikely]] {
      follow(line);
      return next();
    }
    return &line;
  }
  // Returns the payload beside the ring of the packet that next() has returned. Called once for
  // each such packet.
  [[nodiscard]] const std::byte* payload(const Line& line) requires(lane == Lane::collective) {
    return reinterpret_cast<const PacketRing*>(ring_)->payloads + beside_.places.take(line.total);
  }
  // Returns the slot in which this reader offers to take a message; nullptr if there is no ring.
  [[nodiscard]] HandoverSlot* handover() requires(lane == Lane::collective) {
    if (ring_ == nullptr && !accept()) return nullptr;
    return &reinterpret_cast<PacketRing*>(ring_)->handover;
  }
  // Number of packets taken.
  [[nodiscard]] std::uint64_t taken() const { return lines_; }
  void prefetch_next() const { __builtin_prefetch(&ring_->line(lines_ + 1)); }

  // Takes the packet. In the collective lane the sender is told at once if it waits for the memory
  // of the packet, else by groups of packets. In the mailbox lane it always is, but it is woken
  // only if it waits until all are received: one that lacks room links a new ring.
  void pop(Tell tell) {
    ++lines_;
    if constexpr (lane == Lane::collective) {
      if (tell == Tell::now || lines_ - told_ >= tell_every_ ||
          beside_.places.end() - beside_.freed >= PacketRing::payload_bytes / 4)
        tell_taken();
    } else {
      ring_->consumed.publish(lines_);
      own_->taken[slot_of(peer_)].publish(++taken_);
      const SegmentHeader& header = mapping_->header();
      if (asks(header, sender_->draining)) wake_if_asleep(header, *sender_);
    }
  }
  // Publishes the number of packets taken so far.
  void tell_taken() requires(lane == Lane::collective) {
    if (ring_ == nullptr || lines_ == told_) return;
    beside_.freed = beside_.places.end();
    told_ = lines_;
    ring_->freed.publish(beside_.freed);
    ring_->consumed.publish(told_);
    wake_if_asleep(mapping_->header(), *sender_);
  }
  // Releases what the peer had sent, and the ring, and finds no packet any more. The peer has gone.
  void drop();

 private:
  void follow(const Line& link);

  const Mapping* mapping_ = nullptr;
  Endpoint* own_ = nullptr;
  Endpoint* sender_ = nullptr;
  LineRing* ring_ = nullptr;
  std::uint64_t lines_ = 0;       // taken from the present ring
  std::uint64_t told_ = 0;        // lines published as taken
  std::uint64_t tell_every_ = 0;  // lines that are taken before their number is published
  std::uint64_t taken_ = 0;       // messages of the mailbox lane that were ever taken
  [[no_unique_address]] PayloadsBeside<lane> beside_;
  int self_ = -1;
  int peer_ = no_peer;
};

// Takes the part of the reader of a ring and drops it: releases what it still holds, message by
// message, and frees its memory. Nobody else may use the ring any more than its writer or its
// reader does that has called this. If this process is killed meanwhile, another can call it again,
// and at most one block is lost.
template <Lane lane>
void drop_ring(const Mapping& mapping, int reader, int writer);

}  // namespace tutti::transport::shm
