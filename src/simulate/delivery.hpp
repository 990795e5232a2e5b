// SPDX-License-Identifier: BSD-3-Clause
// A message's life outside the network: how it is handed over, and how its receiver takes it.
#pragma once

#include "simulate/network.hpp"
#include "simulate/ranks.hpp"

namespace tutti::simulate {

class Delivery {
 public:
  Delivery(World& world, Ranks& ranks, Network& network, Observer* observer);

  // Whether a rank sends one message after the other.
  [[nodiscard]] bool one_at_a_time() const { return limited_; }
  void send(int node, const Send& send);
  // The rank has posted receives.
  void posted(int node);
  // A message that came early has met its receive.
  void matched(Slot slot) { close(slot, received); }
  void report(Report& report) const;
  void event(const Event& event);

 private:
  Slot make(int from, int to, std::int64_t bytes, Errand errand);
  void launch(Slot slot);
  void control(Slot parent, int from, int to, Errand errand);
  void arrived(Slot slot);
  void taken(Slot slot);
  void port_free(Slot slot);
  void close(Slot slot, int flags);

  World& world_;
  Ranks& ranks_;
  Network& network_;
  Observer* observer_;
  bool limited_;
  machine::Handover handover_;
  double threshold_;
  std::uint64_t sequence_ = 0;
  std::int64_t messages_ = 0, controls_ = 0, bytes_ = 0;
};

}  // namespace tutti::simulate
