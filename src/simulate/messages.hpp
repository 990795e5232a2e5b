// SPDX-License-Identifier: BSD-3-Clause
// Messages in flight.
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
  Ticks begin;  // its sender's port is taken
  // It wants its path; then, it has it, and from then on it takes as long as alone. Before it sets
  // out, the noise of its start-up.
  Ticks granted;
  Ticks waited;  // behind other messages
  std::uint64_t sequence;
  std::uint64_t history;  // of its sender, when it began
  std::uint32_t path;     // in Paths
  Slot waiting;           // what the network knows of its wait; no_slot: it does not wait
  Slot next;              // in a queue: of the same parent there,
  Slot first;             // and below
  Slot parent;            // of a request or an answer, the message it is about
  std::uint32_t links;    // of the path
  std::uint32_t taken;    // links that a worm has
  std::uint8_t ports;     // further entries of the path
  std::uint8_t open;      // Ends that are still to come
  MessageKind kind;

  [[nodiscard]] std::uint32_t entries() const { return links + ports; }
};

using MessageSlab = Slab<SimulatedMessage>;

// Who comes first: the lowest rank, and of its messages the first. As a number, the least.
[[nodiscard]] inline std::uint64_t precedence(const SimulatedMessage& message) {
  return Event::make_order(Turn::request, message.name.from, message.sequence);
}

// The ways of messages in flight: runs of entries, those of one length used again for that length.
// Grows by chunks, as Slab does; a run stands in one chunk, or in one that is as long.
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
