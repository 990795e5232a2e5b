// SPDX-License-Identifier: BSD-3-Clause
// A message's life outside the network: how it is handed over, and how its receiver takes it.
#pragma once

#include "simulate/network.hpp"
#include "simulate/ranks.hpp"

namespace tutti::simulate {

class Delivery {
 public:
  Delivery(World& world, SimulatedRanks& ranks, SimulatedNetwork& network, Observer* observer);

  // Whether a rank sends one message after the other.
  [[nodiscard]] bool one_at_a_time() const { return limited_; }
  // When the node may begin to send: now, or when it has taken what it is taking.
  [[nodiscard]] Ticks may_send(int node) const;
  void send(int node, const Send& send);
  // The rank has posted receives.
  void posted(int node);
  // A message that came early has met its receive.
  void matched(Slot slot) { close(slot, received); }
  void report(Report& report) const;
  void event(const Event& event);

 private:
  // Of a node that sends or receives, where no path holds it.
  struct Port {
    Ticks sends_since = 0, sent = 0;
    Ticks receives_since = 0;  // one message after the other, without a pause
    Slot deferred = no_slot;   // messages that wait until it has sent
    bool sending = false;
  };

  Slot make(int from, int to, std::int64_t bytes, MessageKind kind);
  void launch(Slot slot);
  void control(Slot parent, int from, int to, MessageKind kind);
  void arrived(Slot slot);
  [[nodiscard]] bool receive(Slot slot);
  void sent(Port& port);
  void append(Slot& list, Slot slot);
  void taken(Slot slot);
  void port_free(Slot slot);
  void close(Slot slot, int flags);

  World& world_;
  SimulatedRanks& ranks_;
  SimulatedNetwork& network_;
  Observer* observer_;
  bool limited_;
  machine::Handover handover_;
  double threshold_;
  std::vector<Port>
      ports_;         // empty where nodes send and receive at the same time, or paths hold ports
  Ticks window_ = 0;  // -1: not even what begins together
  std::uint64_t sequence_ = 0;
  std::int64_t messages_ = 0, controls_ = 0, bytes_ = 0;
};

}  // namespace tutti::simulate
