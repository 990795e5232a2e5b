// SPDX-License-Identifier: BSD-3-Clause
// A transport within one thread, for tests: any number of endpoints over queues of bounded length.
// Nothing ever waits here; the test advances executions in an order of its own choice, so every
// interleaving can be reached.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "transport/transport.hpp"

namespace tutti::transport::loopback {

struct LoopbackOptions {
  std::size_t packets = 4;    // packets that a channel holds before it is not ready
  std::size_t fragments = 4;  // fragments that an endpoint may have in flight
  // The limit is small, so that short vectors already travel in several packets.
  std::uint32_t fragment_limit = 64;
  int spin_turns = 0;  // 0: nobody ever waits here
  base::Tuning tuning{};
};

class LoopbackNetwork;

class Loopback final : public Transport, private Idler {
 public:
  Loopback(LoopbackNetwork& network, int self);
  ~Loopback() override;
  [[nodiscard]] int self() const override { return self_; }
  Channel& channel(int endpoint) override;
  Lent acquire(std::uint32_t bytes, std::uint32_t readers, int first) override;
  [[nodiscard]] Idler& idler() override { return *this; }
  [[nodiscard]] const Clock& clock() override { return steady_clock(); }

 private:
  [[nodiscard]] int spin_turns() const override;
  void idle(int turn, const WaitInfo& info) override;
  void awake() override {}

  LoopbackNetwork* network_;
  int self_;
  // Says how the last fragment was to be written. The two ways alternate, so that tests cover both.
  bool non_temporal_ = false;
  std::vector<std::unique_ptr<Channel>> channels_;
};

class LoopbackNetwork {
 public:
  LoopbackNetwork(int endpoints, const LoopbackOptions& options);

  [[nodiscard]] Transport& endpoint(int id) { return *endpoints_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] int size() const { return static_cast<int>(endpoints_.size()); }
  // Returns true if every message has been received: no packet is queued and no fragment is in use.
  [[nodiscard]] bool quiet() const;

 private:
  friend class Loopback;
  friend class LoopbackChannel;

  struct Memory {
    std::vector<std::byte> bytes;
    std::uint32_t readers;
    int owner;
  };
  struct Stored {
    Label label;
    std::uint64_t total;
    std::uint32_t bytes;
    std::vector<std::byte> inline_payload;
    Memory* fragment;  // nullptr: inline
  };
  [[nodiscard]] std::deque<Stored>& queue(int from, int to) {
    return queues_[static_cast<std::size_t>(from) * endpoints_.size() +
                   static_cast<std::size_t>(to)];
  }

  LoopbackOptions options_;
  std::vector<std::unique_ptr<Loopback>> endpoints_;
  std::vector<std::deque<Stored>> queues_;  // [from][to]
  std::deque<Memory> memory_;
};

}  // namespace tutti::transport::loopback
