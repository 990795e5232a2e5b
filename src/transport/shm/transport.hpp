// SPDX-License-Identifier: BSD-3-Clause
// The shared-memory transport: a mapping and an endpoint id, no globals.
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
  // The mapping must outlive the transport. `self` is the slot.
  ShmTransport(const Mapping& mapping, int self);

  [[nodiscard]] int self() const override { return self_; }
  Channel& channel(int endpoint) override;
  [[nodiscard]] std::uint32_t inline_limit() const override { return most_inline; }
  [[nodiscard]] std::uint32_t fragment_limit() const override { return 64 * 1024; }
  [[nodiscard]] std::uint32_t overlap_limit() const override { return 16 * 1024; }
  Fragment acquire(std::uint32_t bytes, std::uint32_t readers) override {
    return fragments_.acquire(bytes, readers);
  }
  [[nodiscard]] int spin_turns() const override { return waiter_.spin_turns(); }
  // Throws Error(peer_left) when the wait is for a process that is gone and that the supervisor
  // does not end the job for.
  void idle(int turn, const Waiting& waiting) override;
  void set_naps(const Naps& naps) { waiter_.set_naps(naps); }
  void awake() override {
    lost_ = -1;
    fragments_.awake();
    waiter_.awake();
  }

 private:
  [[nodiscard]] int lost_endpoint(const Waiting& waiting) const;

  const Mapping* mapping_;
  int self_;
  Waiter waiter_;
  int lost_ = -1;  // seen to be gone; what it had sent before may still be found by the next look
  std::vector<std::unique_ptr<ShmChannel>> channels_;  // by slot
  std::vector<std::unique_ptr<ShmChannel>>
      old_;              // to former processes of a slot: plans may still name them
  Fragments fragments_;  // ends first: it asks the channels who has read what
};

}  // namespace tutti::transport::shm
