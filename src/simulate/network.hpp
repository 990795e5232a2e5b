// SPDX-License-Identifier: BSD-3-Clause
// How messages get through the network: one implementation for each kind of switching. A network is
// asked for a path and tells when a message has it, when it has slowed one, and when one has
// arrived.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simulate/costs.hpp"
#include "simulate/events.hpp"
#include "simulate/messages.hpp"
#include "simulate/rank_set.hpp"
#include "simulate/recorder.hpp"

namespace tutti::simulate {

// What the parts of a simulation share.
struct World {
  World(const machine::Machine& of, int nodes, std::size_t links_kept, std::size_t top)
      : machine(of),
        topology(*of.network.topology),
        costs(of),
        recorder(links_kept, top),
        ready(nodes),
        asking(nodes),
        asked(static_cast<std::size_t>(nodes), no_slot) {}

  const machine::Machine& machine;
  const machine::Topology& topology;
  Costs costs;
  Events events;
  MessageSlab messages;
  Recorder recorder;
  Ticks now = 0;
  // What happens at this instant needs no place among the events: ranks that go on, ranks with
  // messages that want their paths, and these messages.
  RankSet ready;
  RankSet asking;
  std::vector<Slot> asked;

  // In the order of their sequence: mostly there is but one.
  void ask_now(Slot slot) {
    const int rank = messages[slot].name.from;
    Slot* place = &asked[static_cast<std::size_t>(rank)];
    while (*place != no_slot && messages[*place].sequence < messages[slot].sequence)
      place = &messages[*place].next;
    messages[slot].next = *place;
    *place = slot;
    asking.insert(rank);
  }
  [[nodiscard]] Slot next_asked() const { return asked[static_cast<std::size_t>(asking.lowest())]; }
  void answer(Slot slot) {
    const int rank = messages[slot].name.from;
    asked[static_cast<std::size_t>(rank)] = std::exchange(messages[slot].next, no_slot);
    if (asked[static_cast<std::size_t>(rank)] == no_slot) asking.erase(rank);
  }

  void push(What what, Turn turn, Ticks time, Slot slot, int flags = 0) {
    const SimulatedMessage& message = messages[slot];
    events.push({time, Event::make_order(turn, message.name.from, message.sequence), slot, what,
                 static_cast<std::uint8_t>(flags)});
  }
  // The message has this yet to come.
  void push_end(Slot slot, Ticks time, int flags) {
    messages[slot].open |= static_cast<std::uint8_t>(flags);
    push(What::ends, Turn::end, time, slot, flags);
  }
};

class SimulatedNetwork {
 public:
  explicit SimulatedNetwork(World& world) : world_(world) {}
  SimulatedNetwork(const SimulatedNetwork&) = delete;
  SimulatedNetwork& operator=(const SimulatedNetwork&) = delete;
  virtual ~SimulatedNetwork() = default;

  // A message begins: finds its way, says how long it takes until the message wants it.
  virtual Ticks prepare(Slot slot) = 0;
  // It wants its path. Its ends come as events of kind `ends`.
  virtual void request(Slot slot) = 0;
  // Of the kinds head, flow and packet.
  virtual void event(const Event& event) = 0;
  // What is in `flags` has come to its end.
  virtual void ended(Slot slot, int flags) = 0;
  // Lets one message go on that something has ended for, the first one; false if none is before
  // `order`.
  virtual bool admit(std::uint64_t /* order */) { return false; }
  // All of an instant has happened.
  virtual void settle() {}
  // Whether the network says when the send port is free (by `ends`). If not, it is after
  // Costs::send.
  [[nodiscard]] virtual bool frees_port(const SimulatedMessage& message) const = 0;
  // Whether a message whose send port has been taken that long still needs it. If so, it is freed
  // by `ends`.
  virtual bool keeps_port(Slot) { return false; }
  // Messages that wait for each other, if there are such.
  [[nodiscard]] virtual std::string cycle() const { return {}; }

 protected:
  // The links of the topology between the ends of a message, valid until the next call.
  const machine::Route& route(const SimulatedMessage& message) {
    world_.topology.route_into(message.name.from, message.name.to, route_);
    return route_;
  }

  World& world_;
  machine::Route route_;
};

[[nodiscard]] std::unique_ptr<SimulatedNetwork> make_network(World& world);

}  // namespace tutti::simulate
