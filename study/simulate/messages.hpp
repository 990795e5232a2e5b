// SPDX-License-Identifier: BSD-3-Clause
// Messages in flight: their data, and the memory for their paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulate/events.hpp"
#include "simulate/report.hpp"
#include "simulate/slab.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

enum class MessageKind : std::uint8_t { data, request, answer };

struct SimulatedMessage {
  Name name;
  std::int64_t bytes;
  Ticks begin;  // time at which the sender's port is taken
  // Time at which the message asks for its path. Once a circuit or wormhole grants the path, it is
  // the time from which the message takes as long as on an idle network. Before the message starts,
  // the field holds the noise of its start-up.
  Ticks granted;
  Ticks waited;           // behind other messages
  std::uint64_t order;    // Event::make_order() of the sender's place, without a turn
  std::uint64_t history;  // last wait of its sender (History::Id), when the message began
  std::uint32_t path;     // first entry of its path in Paths
  Slot waiting;           // record of its wait in the network; no_slot: it does not wait
  Slot next;              // in a queue: sibling under one parent
  Slot first;             // in a queue: first child
  Slot origin;            // of data, the strand that sends it; else the message that it is about
  std::uint32_t context;  // the operation it belongs to (Instance::context)
  // There are many messages, so the rest is packed.
  std::uint32_t links : 24;  // links of the path
  std::uint32_t ports : 4;   // ports in the path, after the links
  MessageKind kind : 4;
  std::uint32_t taken : 24;  // links that a wormhole's message has
  std::uint32_t open : 8;    // ends that are still to come (MessageEvent)

  [[nodiscard]] std::uint32_t entries() const { return links + ports; }
  // No route is longer than there are nodes, of which there are 2^20 at most.
  void set_entries(std::size_t all_links, std::size_t all_ports) {
    links = static_cast<std::uint32_t>(all_links) & 0xffffffU;
    ports = static_cast<std::uint32_t>(all_ports) & 0xfU;
  }
};

static_assert(sizeof(SimulatedMessage) == 96);

using MessageSlab = Slab<SimulatedMessage>;

// Returns the precedence of a message as a number: the lower number is first. The lowest rank is
// first, and among its messages the one sent first, by whichever of its processors.
[[nodiscard]] inline std::uint64_t precedence(const SimulatedMessage& message) {
  return Event::in_turn(Turn::request, message.order);
}

// The paths of messages in flight. A path is a run of entries; a run is used again for another path
// of the same length. Memory grows by chunks, as in Slab; a run lies in one chunk, or in several
// that are contiguous.
template <class Entry>
class Paths {
 public:
  [[nodiscard]] std::uint32_t take(std::size_t length) {
    if (free_.size() <= length) free_.resize(length + 1);
    auto& free = free_[length];
    if (!free.empty()) {
      const std::uint32_t first = free.back();
      free.pop_back();
      return first;
    }
    if (length > end() - used_) grow(length);
    const auto first = static_cast<std::uint32_t>(used_);
    used_ += length;
    return first;
  }
  void give(std::uint32_t first, std::size_t length) { free_[length].push_back(first); }
  Entry* at(std::uint32_t first) { return chunks_[first >> bits] + (first & mask); }

 private:
  static constexpr unsigned bits = 12;
  static constexpr std::uint32_t mask = (1U << bits) - 1;

  [[nodiscard]] std::size_t end() const { return chunks_.size() << bits; }
  void grow(std::size_t length) {
    used_ = end();
    const std::size_t chunks = (length + mask) >> bits;
    memory_.push_back(std::make_unique<Entry[]>(chunks << bits));
    for (std::size_t i = 0; i < chunks; ++i) chunks_.push_back(memory_.back().get() + (i << bits));
  }

  std::vector<std::unique_ptr<Entry[]>> memory_;
  std::vector<Entry*> chunks_;
  std::vector<std::vector<std::uint32_t>> free_;
  std::size_t used_ = 0;
};

}  // namespace tutti::simulate
