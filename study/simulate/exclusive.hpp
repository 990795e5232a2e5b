// SPDX-License-Identifier: BSD-3-Clause
// Circuits and wormholes: a link belongs to one message at a time. So does a limited port; ports
// are further entries of the path, which are taken together.
#pragma once

#include <vector>

#include "simulate/network.hpp"

namespace tutti::simulate {

class Exclusive : public SimulatedNetwork {
 public:
  explicit Exclusive(World& world);

  Ticks prepare(Slot slot) override;
  void request(Slot slot) override;
  void event(const Event& event) override;
  void ended(Slot slot, int flags) override;
  bool admit(std::uint64_t before) override;
  [[nodiscard]] bool frees_port(const SimulatedMessage& message) const override {
    return world_.costs.sends_on(message.bytes, message.links);
  }
  [[nodiscard]] std::string cycle() const override;

 private:
  // A message takes a resource for itself, or only waits until the resource is free.
  enum class Use { takes, waits_for };
  // A link or a port on the path of a message. Entries are small because there are many: eight fit
  // into a cache line.
  struct Entry {
    std::uint32_t bits;    // resource, whether taken, and the ends that free it
    Slot queue = no_slot;  // messages that wait while this one has it; the top is first

    Entry() = default;
    Entry(int resource, Use use, MessageEvent until)
        : bits(static_cast<std::uint32_t>(resource) << 4 | (use == Use::takes ? 8U : 0U) | until) {}
    [[nodiscard]] int resource() const { return static_cast<int>(bits >> 4); }
    // Returns true if the message takes the resource for itself; otherwise it only checks it.
    [[nodiscard]] bool taken() const { return (bits & 8U) != 0; }
    // Returns true if one of these ends of the message frees the resource.
    [[nodiscard]] bool ends_with(int ends) const {
      return (bits & 7U & static_cast<std::uint32_t>(ends)) != 0;
    }
  };
  static constexpr int most_resources = 1 << 28;
  // The reason why a message waits.
  struct Wait {
    Name blocking;
    Ticks since;
    int resource;
  };
  // A resource that is free again, and the messages that waited for it.
  struct Freed {
    std::uint64_t order;  // precedence() of the top of `queue`; the lowest is first
    int resource;
    Slot queue;
    friend bool operator<(const Freed& a, const Freed& b) { return b.order < a.order; }
  };

  void lay_ports(const SimulatedMessage& message);
  // Takes as much of the path as it can.
  void advance(Slot slot);
  void advance_worm(Slot slot);
  // Takes the entries from `first` on if no other message has one of them. Otherwise waits for the
  // first that is taken.
  bool take_together(Slot slot, std::uint32_t first);
  [[nodiscard]] bool blocks(const Entry& entry) const;
  void take(Slot slot, const Entry& entry);
  void wait_for(Slot slot, int resource);
  void begin_transfer(Slot slot);
  void push_ends(Slot slot, Ticks path, Ticks arrival, Ticks port);

  // Returns when the message took its i-th entry. A circuit takes all entries at once.
  [[nodiscard]] Ticks since(const SimulatedMessage& message, std::uint32_t i) {
    return worm_ ? since_.at(message.path)[i] : message.granted;
  }
  // Returns when the message took its ports. The head of a wormhole's message takes them after all
  // links.
  [[nodiscard]] Ticks begun(const SimulatedMessage& message) const {
    return message.granted + (worm_ ? world_.costs.hops(message.links) : 0);
  }
  Entry* find_taken(Slot slot, int resource);
  void hand_over(int resource, Slot queue);

  Entry* entries(Slot slot) { return paths_.at(world_.messages[slot].path); }
  [[nodiscard]] bool is_link(int resource) const { return resource < links_; }
  [[nodiscard]] int port(int interface, int which) const { return links_ + 2 * interface + which; }
  Slot& holder(int resource) { return holders_[static_cast<std::size_t>(resource)]; }
  [[nodiscard]] Slot holder(int resource) const {
    return holders_[static_cast<std::size_t>(resource)];
  }

  bool worm_;
  machine::Ports ports_;
  Ticks window_;
  int links_;
  std::vector<Slot> holders_;  // by resource: links, then two ports for each network interface
  std::vector<Freed> freed_;   // a heap
  std::vector<Entry> laid_;    // scratch
  Paths<Entry> paths_;
  Paths<Ticks> since_;  // times of wormholes, at the places of paths_
  Slab<Wait> waits_;
};

}  // namespace tutti::simulate
