// SPDX-License-Identifier: BSD-3-Clause
// The shared-memory transport of one endpoint: its channels and fragments over a mapping, without
// globals. The engine uses it within a host.
#pragma once

#include <memory>
#include <vector>

#include "transport/shm/channel.hpp"
#include "transport/shm/idle.hpp"
#include "transport/shm/lent_memory.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

class ShmTransport final : public Transport {
 public:
  // `self` is the slot. The mapping must outlive the transport.
  ShmTransport(const Mapping& mapping, int self);

  [[nodiscard]] int self() const override { return self_; }
  Channel& channel(int endpoint) override;
  Lent acquire(std::uint32_t bytes, std::uint32_t readers, int first) override {
    const auto& channel = channels_[static_cast<std::size_t>(slot_of(first))];
    return fragments_.acquire(bytes, readers, channel ? channel->distance() : of_no_peer_);
  }
  [[nodiscard]] Idler& idler() override { return idler_; }
  [[nodiscard]] const Clock& clock() override { return *clock_; }
  [[nodiscard]] const LongCounts& long_messages() const { return long_messages_; }
  // Calls visit(peer) for each endpoint from which a packet may be waiting.
  void for_each_sender(void (*visit)(void* user, int peer), void* user);
  void set_naps(const Naps& naps) { idler_.set_naps(naps); }
  // Frees what the channel to this endpoint holds, whose process has gone.
  void part_from(int endpoint);
  // Called before this endpoint leaves the job, and after it has left: see ShmChannel.
  void publish_taken();
  [[nodiscard]] std::optional<UnreadPacket> unread();

 private:
  const Mapping* mapping_;
  int self_;
  const Clock* clock_;
  std::vector<std::unique_ptr<ShmChannel>> channels_;  // by slot
  // Channels to former processes of slots, which plans may still name.
  std::vector<std::unique_ptr<ShmChannel>> old_;
  PeerDistance of_no_peer_;  // of one on another host, which the memory does not reach
  LongCounts long_messages_;
  LentMemory fragments_;  // asks the channels who has read what
  OwnNumbers numbers_;
  ShmIdler idler_;
};

}  // namespace tutti::transport::shm
