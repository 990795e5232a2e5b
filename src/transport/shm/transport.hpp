// SPDX-License-Identifier: BSD-3-Clause
// The shared-memory transport of one endpoint: its channels and fragments over a mapping, without
// globals. The engine uses it within a host.
#pragma once

#include <memory>
#include <vector>

#include "transport/shm/channel.hpp"
#include "transport/shm/fragments.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/waiter.hpp"

namespace tutti::transport::shm {

class ShmTransport final : public Transport {
 public:
  // `self` is the slot. The mapping must outlive the transport.
  ShmTransport(const Mapping& mapping, int self);

  [[nodiscard]] int self() const override { return self_; }
  Channel& channel(int endpoint) override;
  [[nodiscard]] std::uint32_t inline_limit() const override { return most_inline; }
  [[nodiscard]] std::uint32_t fragment_limit() const override {
    return static_cast<std::uint32_t>(tuning().fragment);
  }
  [[nodiscard]] std::uint32_t overlap_limit() const override {
    return static_cast<std::uint32_t>(std::min(tuning().overlap, tuning().fragment));
  }
  Fragment acquire(std::uint32_t bytes, std::uint32_t readers) override {
    return fragments_.acquire(bytes, readers);
  }
  [[nodiscard]] int spin_turns() const override { return waiter_.spin_turns(); }
  // Throws Error(peer_left) when the wait is for a process that is gone and for which the
  // supervisor does not end the job, or when all processes wait in vain.
  void idle(int turn, const Waiting& waiting) override;
  void looked_in_vain() override { waiter_.looked_in_vain(); }
  void set_naps(const Naps& naps) { waiter_.set_naps(naps); }
  // Called before this endpoint leaves the job, and after it has left: see ShmChannel.
  void publish_taken();
  [[nodiscard]] std::optional<UnreadPacket> unread();
  void awake() override {
    lost_ = -1;
    waits_ = in_vain_ = false;
    fragments_.awake();
    waiter_.awake();
  }

 private:
  [[nodiscard]] int lost_endpoint(const Waiting& waiting) const;

  const Mapping* mapping_;
  int self_;
  Waiter waiter_;
  // An awaited endpoint that is gone, or -1. It is reported only after one more poll, which may
  // still find what that endpoint had sent before.
  int lost_ = -1;
  // A wait that the supervisor has found to be in vain is reported after one more poll, too.
  // `standstills_` is how many of those had been found when this wait began.
  bool waits_ = false;
  bool in_vain_ = false;
  std::uint32_t standstills_ = 0;
  std::vector<std::unique_ptr<ShmChannel>> channels_;  // by slot
  // Channels to former processes of slots, which plans may still name.
  std::vector<std::unique_ptr<ShmChannel>> old_;
  Fragments fragments_;  // destroyed first, because it asks the channels who has read what
};

}  // namespace tutti::transport::shm
