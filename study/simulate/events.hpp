// SPDX-License-Identifier: BSD-3-Clause
// The events that are still to come, in the order in which they happen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/slab.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

// The order at one instant: ends, then ranks that go on, then messages that ask for their path.
enum class Turn : std::uint8_t { end, rank, request };

enum class What : std::uint8_t {
  ends,     // some ends of a message come, named by `flags`
  head,     // the head of a wormhole's message reaches its next link
  flow,     // a flow has moved all its bytes, unless it was slowed meanwhile
  packet,   // a packet reaches its next link
  receive,  // a receiver has received a message
  port,     // the time of a send port is over
  go,       // a rank goes on
  alarm,    // the sleep of a rank ends, unless it was woken before
  send,     // a port may have received, so that it may send
  request   // a message asks for its path
};

// The ends of a message: it leaves its path, arrives, leaves its send port, and is received.
// Several may come at once.
enum MessageEvent : std::uint8_t { path_ends = 1, arrives = 2, port_ends = 4, received = 8 };

struct Event {
  Ticks time;
  std::uint64_t order;  // turn, then rank, then sequence number
  Slot slot;            // message or packet; for `go` and `alarm` the strand
  What what;
  std::uint8_t flags;

  static std::uint64_t make_order(Turn turn, int rank, std::uint64_t sequence) {
    return static_cast<std::uint64_t>(turn) << 62 | static_cast<std::uint64_t>(rank) << 42 |
           (sequence & sequences);
  }
  // Puts an order of Turn::end into another turn.
  static std::uint64_t in_turn(Turn turn, std::uint64_t order) {
    return static_cast<std::uint64_t>(turn) << 62 | order;
  }
  [[nodiscard]] Turn turn() const { return static_cast<Turn>(order >> 62); }
  friend bool operator<(const Event& a, const Event& b) {
    // Nobody can predict which of two events is earlier, so this has no branch.
    const bool earlier = a.time < b.time, same = a.time == b.time, before = a.order < b.order;
    return static_cast<unsigned>(earlier) |
           (static_cast<unsigned>(same) & static_cast<unsigned>(before));
  }

 private:
  static constexpr std::uint64_t sequences = (std::uint64_t{1} << 42) - 1;
};

// A heap with four children for each node. It is half as deep as one with two, and the children lie
// in one or two cache lines.
class Events {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] const Event& top() const { return heap_.front(); }

  void push(const Event& event) {
    if (event.time > longest_time)
      base::fail(base::Status::invalid_argument, "the job takes longer than 46 days");
    std::size_t at = heap_.size();
    heap_.push_back(event);
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!(event < heap_[parent])) break;
      heap_[at] = heap_[parent];
      at = parent;
    }
    heap_[at] = event;
  }

  void pop() {
    const Event last = heap_.back();
    heap_.pop_back();
    const std::size_t size = heap_.size();
    if (size == 0) return;
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = 4 * at + 1) {
      const std::size_t end = child + 4 < size ? child + 4 : size;
      std::size_t least = child;
      for (std::size_t i = child + 1; i < end; ++i)
        if (heap_[i] < heap_[least]) least = i;
      if (!(heap_[least] < last)) break;
      heap_[at] = heap_[least];
      at = least;
    }
    heap_[at] = last;
  }

 private:
  std::vector<Event> heap_;
};

}  // namespace tutti::simulate
