// SPDX-License-Identifier: BSD-3-Clause
// The mailbox lane in shared memory. Each pair of endpoints has a line ring, which grows by links
// to further rings, and send buffers in the segment. A buffer belongs to its sender until every
// reader has released it. The mailbox uses it within a host.
#pragma once

#include <memory>
#include <vector>

#include "transport/mail.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/lent_memory.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/placed_mail.hpp"
#include "transport/shm/ring.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/transport.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {

class ShmMail final : public Mail {
 public:
  // `self` is the slot. To part concerns the lane of collectives, too, if there is one.
  ShmMail(const Mapping& mapping, int self, ShmTransport* collectives = nullptr);
  // Buffers that are not received yet pass to their receivers.
  ~ShmMail() override;
  ShmMail(const ShmMail&) = delete;
  ShmMail& operator=(const ShmMail&) = delete;

  Lent acquire(std::uint64_t bytes, std::uint32_t readers, int first) override;
  [[nodiscard]] Shortage shortage(std::uint64_t bytes) const override {
    return Heap(*mapping_).shortage(bytes + sizeof(LentHeader));
  }
  [[nodiscard]] bool inject(int to, Label key, const void* payload, std::uint32_t bytes) override;
  [[nodiscard]] bool send(int to, Label key, std::uint64_t bytes, const Lent& buffer,
                          std::uint64_t ready) override;
  void extend(int to, const Lent& buffer, std::uint64_t ready) override;
  void withdraw(const Lent& buffer, std::uint32_t unsent) override;
  std::uint64_t reclaim(Depth depth) override { return lent_.reclaim(depth); }
  [[nodiscard]] Got poll(int source, const Expected* expected, Arrival& arrival) override;
  [[nodiscard]] Look take_offered(const MailOffer& offer, Arrival& arrival) override {
    return placed_.take_offered(offer, arrival);
  }
  [[nodiscard]] bool finish_offered(Arrival& arrival) override {
    return placed_.finish_offered(arrival);
  }
  [[nodiscard]] HandedOver hand_over(int to, Label key, const std::byte* message,
                                     std::uint64_t bytes) override {
    // While there is a ring between the two, neither slot gets a new process.
    const Writer* const out = writer_to(to);
    return out == nullptr ? HandedOver::no
                          : placed_.hand_over(to, key, message, bytes, out->pending() == 0);
  }
  [[nodiscard]] Look help() override { return placed_.help(); }
  [[nodiscard]] bool take_back() override { return placed_.take_back(); }
  // Called before a message that comes in another way is taken. Returns false if one that is put in
  // its place must be taken first.
  [[nodiscard]] bool settle() { return placed_.settle(); }
  void for_each_sender(void (*visit)(void* user, int source), void* user) override;
  void release(const Arrival& arrival) override;
  void credit(int from, std::uint64_t bytes) override {
    if (peer_at(from).in.peer() != from) return;  // its slot may have a new process
    auto& credited = mapping_->endpoint(self_).credited[slot_of(from)];
    credited.publish(credited.peek() + bytes);
    wake_if_asleep(mapping_->header(), mapping_->endpoint(slot_of(from)));
  }
  [[nodiscard]] std::optional<std::uint64_t> credited(int to) const override {
    const auto& peer = peers_[static_cast<std::size_t>(slot_of(to))];
    if (!peer || peer->out.peer() != to || !reachable(*mapping_, to)) return {};
    return mapping_->endpoint(slot_of(to)).credited[self_].see();
  }
  void require_reachable(int to) const override;
  void part(void (*visit)(void* user, int source), void* user) override;
  [[nodiscard]] std::vector<Unreceived> unreceived() override;

 private:
  using Writer = RingWriter<Lane::mailbox>;
  using MailReader = RingReader<Lane::mailbox>;

  // Most processes exchange messages with few others, so a peer is made at the first one.
  struct Peer {
    Writer out;
    MailReader in;
  };
  [[nodiscard]] Peer& peer_at(int endpoint) {
    auto& peer = peers_[static_cast<std::size_t>(slot_of(endpoint))];
    if (!peer) peer = std::make_unique<Peer>();
    return *peer;
  }
  [[nodiscard]] Writer* writer_to(int to);
  [[nodiscard]] MailReader* reader_from(int source);
  [[nodiscard]] Got take_buffer(MailReader& from, const Line& line, const Expected* expected,
                                Arrival& arrival);
  void part_from(int id, void (*visit)(void* user, int source), void* user);

  const Mapping* mapping_;
  ShmTransport* collectives_;
  int self_;
  std::uint32_t departures_ = 0;  // value of SegmentHeader::departures that part() has dealt with
  std::vector<std::unique_ptr<Peer>> peers_;  // by slot
  LentMemory lent_;
  LentBook book_;  // of what it holds
  PlacedMail placed_;
};

}  // namespace tutti::transport::shm
