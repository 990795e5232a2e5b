// SPDX-License-Identifier: BSD-3-Clause
// A message outside of the network: how its sender starts it by the machine's protocol, and how its
// receiver takes it.
#pragma once

#include "simulate/network.hpp"
#include "simulate/ranks.hpp"

namespace tutti::simulate {

class Delivery {
 public:
  Delivery(World& world, SimulatedRanks& ranks, SimulatedNetwork& network, Observer* observer);

  // Returns true if a rank sends one message after the other.
  [[nodiscard]] bool one_at_a_time() const { return limited_; }
  void send(Slot strand, const Send& send);
  // The rank has posted receives, so messages that waited for them may start.
  void posted(int node);
  // A message that arrived early has met its receive.
  void matched(Slot slot) { close(slot, received); }
  void report(Report& report) const;
  void event(const Event& event);

 private:
  // The port of a network interface. Strands and processors that share it send one after the other,
  // first come, first served.
  struct Port {
    Ticks sends_since = 0, sent = 0;  // beginning and end of the last message
    Ticks receives_since = 0;         // beginning of a series of receives without a pause
    Ticks taken_until = 0;            // by messages that it receives
    Slot waiting = no_slot;           // list of messages that have asked for it, in that order
    Slot deferred = no_slot;          // list of arrived messages that wait until the node has sent
    bool sending = false;
  };

  Slot make(const Name& name, std::int64_t bytes, MessageKind kind);
  [[nodiscard]] Port& port_of_sender(const SimulatedMessage& message);
  void launch(Slot slot);
  void begin(Slot slot);
  void serve(Port& port);
  [[nodiscard]] Ticks may_send(const Port& port) const;
  void control(Slot about, int from, int to, MessageKind kind);
  void arrived(Slot slot);
  [[nodiscard]] bool receive(Slot slot);
  void sent(Port& port);
  void sent_before(Slot slot);
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
  // Nodes cannot freely send and receive at once, and paths do not hold the ports.
  bool alternates_;
  Ticks window_;             // sends and receives that begin this close together overlap; -1: none
  std::vector<Port> ports_;  // by network interface; empty if ports are unlimited
  std::uint64_t sequence_ = 0;
  std::int64_t messages_ = 0, controls_ = 0, bytes_ = 0;
};

}  // namespace tutti::simulate
