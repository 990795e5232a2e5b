// SPDX-License-Identifier: BSD-3-Clause
// The transport as services see it: a wait on it also advances the operations that are in flight.
#pragma once

#include "engine/in_flight.hpp"
#include "transport/transport.hpp"

namespace tutti::engine {

class ProgressingTransport final : public transport::Transport {
 public:
  ProgressingTransport(transport::Transport& inner, InFlight& in_flight)
      : Transport(inner.tuning()), inner_(&inner), in_flight_(&in_flight) {}

  [[nodiscard]] int self() const override { return inner_->self(); }
  transport::Channel& channel(int endpoint) override { return inner_->channel(endpoint); }
  [[nodiscard]] std::uint32_t inline_limit() const override { return inner_->inline_limit(); }
  [[nodiscard]] std::uint32_t fragment_limit() const override { return inner_->fragment_limit(); }
  [[nodiscard]] std::uint32_t overlap_limit() const override { return inner_->overlap_limit(); }
  transport::Fragment acquire(std::uint32_t bytes, std::uint32_t readers) override {
    return inner_->acquire(bytes, readers);
  }
  [[nodiscard]] int spin_turns() const override { return inner_->spin_turns(); }
  void idle(int turn, const transport::Waiting& waiting) override {
    // A process that has done work begins a new wait, so that the launcher does not think it stuck.
    if (in_flight_->busy() && in_flight_->look_around()) return awake();
    idle_ = true;
    inner_->idle(turn, waiting);
  }
  void looked_in_vain() override { inner_->looked_in_vain(); }
  [[nodiscard]] transport::GiveUp question() const override { return in_flight_->question(); }
  void awake() override {
    if (idle_) inner_->awake();
    idle_ = false;
  }

 private:
  transport::Transport* inner_;
  InFlight* in_flight_;
  bool idle_ = false;
};

}  // namespace tutti::engine
