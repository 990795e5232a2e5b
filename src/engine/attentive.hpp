// SPDX-License-Identifier: BSD-3-Clause
// The transport as services see it: whoever waits by it advances the operations that are under way.
#pragma once

#include "engine/underway.hpp"
#include "transport/transport.hpp"

namespace tutti::engine {

class Attentive final : public transport::Transport {
 public:
  Attentive(transport::Transport& inner, Underway& underway)
      : inner_(&inner), underway_(&underway) {}

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
    if (underway_->busy() && underway_->look_around()) return;
    idle_ = true;
    inner_->idle(turn, waiting);
  }
  void awake() override {
    if (idle_) inner_->awake();
    idle_ = false;
  }

 private:
  transport::Transport* inner_;
  Underway* underway_;
  bool idle_ = false;
};

}  // namespace tutti::engine
