// SPDX-License-Identifier: BSD-3-Clause
// The shared-memory transport: a mapping and an endpoint id, no globals.
#pragma once

#include <memory>
#include <vector>

#include "transport/shm/arena.hpp"
#include "transport/shm/channel.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/sleeper.hpp"

namespace tutti::transport::shm {

class ShmTransport final : public Transport {
 public:
  // The mapping must outlive the transport.
  ShmTransport(const Mapping& mapping, int self);

  [[nodiscard]] int self() const override { return self_; }
  Channel& channel(int endpoint) override;
  [[nodiscard]] std::uint32_t inline_limit() const override { return PacketRing::slot_bytes; }
  [[nodiscard]] std::uint32_t chunk_limit() const override { return 64 * 1024; }
  Chunk acquire(std::uint32_t bytes, std::uint32_t readers) override;
  [[nodiscard]] int spin_turns() const override { return sleeper_.spin_turns(); }
  void idle(int turn, const Waiting& waiting) override { sleeper_.idle(turn, waiting); }
  void awake() override { sleeper_.awake(); }

 private:
  const Mapping* mapping_;
  int self_;
  Arena arena_;
  Sleeper sleeper_;
  std::vector<std::unique_ptr<ShmChannel>> channels_;
};

}  // namespace tutti::transport::shm
