// SPDX-License-Identifier: BSD-3-Clause
// How messages get through the network, with one implementation for each kind of switching. A
// network is asked for a path. It tells when a message has the path, when it is slowed, and when it
// has arrived. World holds what all parts of a simulation share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simulate/costs.hpp"
#include "simulate/events.hpp"
#include "simulate/job.hpp"
#include "simulate/messages.hpp"
#include "simulate/rank_set.hpp"
#include "simulate/recorder.hpp"

namespace tutti::simulate {

// The data that all parts of a simulation share.
struct World {
  World(const machine::Machine& of, const JobHosts& hosts_of_job, int nodes, std::size_t links_kept,
        std::size_t top)
      : machine(of),
        hosts(hosts_of_job),
        topology(*of.network.topology),
        costs(of),
        recorder(links_kept, top),
        ready(nodes),
        asking(places_of(hosts_of_job, nodes)),
        asked(static_cast<std::size_t>(places_of(hosts_of_job, nodes)), no_slot) {}

  const machine::Machine& machine;
  const JobHosts& hosts;
  const machine::Topology& topology;
  Costs costs;
  Events events;
  MessageSlab messages;
  Recorder recorder;
  Ticks now = 0;
  // Steps of the present instant are kept apart from the events: ranks that go on (`ready`), places
  // with messages that ask for their paths (`asking`), and the first such message of each place
  // (`asked`).
  RankSet ready;
  RankSet asking;
  std::vector<Slot> asked;

  // Adds a message that asks now. The list is sorted by sequence; it mostly has one entry.
  void ask_now(Slot slot) {
    const int rank = hosts.place_of(messages[slot].name.from);
    Slot* place = &asked[static_cast<std::size_t>(rank)];
    while (*place != no_slot && messages[*place].order < messages[slot].order)
      place = &messages[*place].next;
    messages[slot].next = *place;
    *place = slot;
    asking.insert(rank);
  }
  [[nodiscard]] Slot next_asked() const { return asked[static_cast<std::size_t>(asking.lowest())]; }
  void answer(Slot slot) {
    const int rank = hosts.place_of(messages[slot].name.from);
    asked[static_cast<std::size_t>(rank)] = std::exchange(messages[slot].next, no_slot);
    if (asked[static_cast<std::size_t>(rank)] == no_slot) asking.erase(rank);
  }

  [[nodiscard]] int places_of(const JobHosts& of, int nodes) const {
    return of.place.empty() ? nodes : topology.nodes();
  }

  // Numbers of network interfaces; each node of the machine has JobHosts::interfaces of them.
  [[nodiscard]] int interface_of_sender(const Name& message) const {
    return hosts.place_of(message.from) * hosts.interfaces + hosts.ends_of(message).sender;
  }
  [[nodiscard]] int interface_of_receiver(const Name& message) const {
    return hosts.place_of(message.to) * hosts.interfaces + hosts.ends_of(message).receiver;
  }
  [[nodiscard]] std::size_t interfaces() const {
    return static_cast<std::size_t>(topology.nodes()) * static_cast<std::size_t>(hosts.interfaces);
  }

  void push(What what, Turn turn, Ticks time, Slot slot, int flags = 0) {
    const SimulatedMessage& message = messages[slot];
    events.push(
        {time, Event::in_turn(turn, message.order), slot, what, static_cast<std::uint8_t>(flags)});
  }
  // Adds an event for ends of the message that are still to come.
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

  // Finds the path of a message that begins. Returns the time until the message asks for it.
  virtual Ticks prepare(Slot slot) = 0;
  // The message asks for its path. Its ends come later, as events of kind `ends`.
  virtual void request(Slot slot) = 0;
  // Handles events of the kinds head, flow and packet.
  virtual void event(const Event& event) = 0;
  // Called when the ends of the message in `flags` have come.
  virtual void ended(Slot slot, int flags) = 0;
  // Lets the first message that waits for a link or port that is free again continue. Does nothing
  // and returns false if there is none, or if it comes after `order` (Event::order).
  virtual bool admit(std::uint64_t /* order */) { return false; }
  // Called when all steps of an instant are done.
  virtual void settle() {}
  // Returns true if the network frees the send port, by an event of kind `ends`. Otherwise it is
  // free after Costs::send.
  [[nodiscard]] virtual bool frees_port(const SimulatedMessage& message) const = 0;
  // Returns true if the message still needs its send port after Costs::send. An event of kind
  // `ends` then frees it.
  virtual bool keeps_port(Slot) { return false; }
  // Describes messages that wait for each other in a cycle; "" if there are none.
  [[nodiscard]] virtual std::string cycle() const { return {}; }

 protected:
  // Returns the links between sender and receiver of a message, valid until the next call.
  const machine::Route& route(const SimulatedMessage& message) {
    world_.topology.route_into(world_.hosts.place_of(message.name.from),
                               world_.hosts.place_of(message.name.to), route_);
    return route_;
  }

  World& world_;
  machine::Route route_;
};

[[nodiscard]] std::unique_ptr<SimulatedNetwork> make_network(World& world);

}  // namespace tutti::simulate
