// SPDX-License-Identifier: BSD-3-Clause
// The shared-memory transport: a mapping and an endpoint id, no globals.
#pragma once

#include <memory>
#include <vector>

#include "transport/shm/channel.hpp"
#include "transport/shm/chunks.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/sleeper.hpp"

namespace tutti::transport::shm {

class ShmTransport final : public Transport {
 public:
  // The mapping must outlive the transport. `self` is the slot.
  ShmTransport(const Mapping& mapping, int self);

  [[nodiscard]] int self() const override { return self_; }
  Channel& channel(int endpoint) override;
  [[nodiscard]] std::uint32_t inline_limit() const override { return most_inline; }
  [[nodiscard]] std::uint32_t chunk_limit() const override { return 64 * 1024; }
  [[nodiscard]] std::uint32_t overlap_limit() const override { return 16 * 1024; }
  Chunk acquire(std::uint32_t bytes, std::uint32_t readers) override {
    return chunks_.acquire(bytes, readers);
  }
  [[nodiscard]] int spin_turns() const override { return sleeper_.spin_turns(); }
  // Throws Error(peer_left) when the wait is for a process that is gone and that the supervisor
  // does not end the job for.
  void idle(int turn, const Waiting& waiting) override;
  void set_naps(const Naps& naps) { sleeper_.set_naps(naps); }
  void awake() override {
    lost_ = -1;
    chunks_.awake();
    sleeper_.awake();
  }

 private:
  [[nodiscard]] int lost_endpoint(const Waiting& waiting) const;

  const Mapping* mapping_;
  int self_;
  Sleeper sleeper_;
  int lost_ = -1;  // seen to be gone; what it had sent before may still be found by the next look
  std::vector<std::unique_ptr<ShmChannel>> channels_;  // by slot
  std::vector<std::unique_ptr<ShmChannel>>
      old_;        // to former processes of a slot: plans may still name them
  Chunks chunks_;  // ends first: it asks the channels who has read what
};

}  // namespace tutti::transport::shm
