// SPDX-License-Identifier: BSD-3-Clause
// A transport that leads nowhere: its channels only name their endpoints. Plans lower the Programs
// of other ranks to it, to see what these execute.
#pragma once

#include <vector>

#include "transport/transport.hpp"

namespace tutti::engine {

class Unconnected final : public transport::Transport, private transport::Idler {
 public:
  explicit Unconnected(int endpoints) : Transport(defaults, {}) {
    for (int endpoint = 0; endpoint < endpoints; ++endpoint) channels_.emplace_back(endpoint);
  }
  [[nodiscard]] int self() const override { return -1; }
  transport::Channel& channel(int endpoint) override {
    return channels_.at(static_cast<std::size_t>(endpoint));
  }
  transport::Lent acquire(std::uint32_t, std::uint32_t, int) override { return {}; }
  [[nodiscard]] transport::Idler& idler() override { return *this; }
  [[nodiscard]] const transport::Clock& clock() override { return transport::steady_clock(); }

 private:
  static constexpr base::Tuning defaults{};

  class Nowhere final : public transport::Channel {
   public:
    explicit Nowhere(int peer) : peer_(peer) {}
    bool ready() override { return false; }
    void post_inline(transport::Label, const void*, std::uint32_t) override {}
    std::uint64_t post(transport::Label, std::uint64_t, const transport::Lent&,
                       std::uint32_t) override {
      return 0;
    }
    const transport::Packet* peek() override { return nullptr; }
    void pop() override {}
    [[nodiscard]] int peer() const override { return peer_; }

   private:
    int peer_;
  };

  [[nodiscard]] int spin_turns() const override { return 0; }
  void idle(int, const transport::WaitInfo&) override {}
  void awake() override {}

  std::vector<Nowhere> channels_;
};

}  // namespace tutti::engine
