// SPDX-License-Identifier: BSD-3-Clause
// A transport that never lets a sender wait for one who waits. While a process waits, it moves the
// packets that have come into memory of its own, which gives their senders room. So a rank that
// waits for the timekeeper holds nobody up, however many messages the others are ahead (board.hpp).
// Long messages go in packets, too, because a copy from the sender's memory would let it wait.
#pragma once

#include <map>
#include <memory>

#include "transport/shm/transport.hpp"

namespace tutti::timed {

class DrainingTransport final : public transport::Transport, private transport::Idler {
 public:
  explicit DrainingTransport(transport::shm::ShmTransport& inner);
  ~DrainingTransport() override;

  [[nodiscard]] int self() const override { return inner_->self(); }
  transport::Channel& channel(int endpoint) override;
  transport::Lent acquire(std::uint32_t bytes, std::uint32_t readers, int first) override {
    return inner_->acquire(bytes, readers, first);
  }
  [[nodiscard]] transport::Idler& idler() override { return *this; }
  [[nodiscard]] const transport::Clock& clock() override { return inner_->clock(); }

 private:
  class DrainingChannel;

  // A process that waits sleeps at once, because others need the processor: the one that it waits
  // for, and the timekeeper.
  [[nodiscard]] int spin_turns() const override { return 1; }
  void idle(int turn, const transport::WaitInfo& info) override;
  void awake() override { inner_->idler().awake(); }
  void pass() override { inner_->idler().pass(); }
  // Returns the channel to an endpoint, which is made at first use.
  DrainingChannel& note(int endpoint);
  // Returns true if a packet was moved.
  bool drain();

  transport::shm::ShmTransport* inner_;
  std::map<int, std::unique_ptr<DrainingChannel>> channels_;
};

}  // namespace tutti::timed
