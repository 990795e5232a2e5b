// SPDX-License-Identifier: BSD-3-Clause
// What will happen, in the order in which it happens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/slab.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

// At one instant: what ends, then ranks that go on, then messages that want their path.
enum class Turn : std::uint8_t { end, rank, request };

enum class What : std::uint8_t {
  ends,     // `flags` says what of a message
  head,     // of a worm comes to its next link
  flow,     // has moved all its bytes, unless it was slowed since then
  packet,   // comes to its next link
  receive,  // a receiver is done with a message
  port,     // the time of a send port is over
  go,       // a rank goes on
  send,     // a rank may send now
  request   // a message wants its path
};

// Ends of a message; some may come together.
enum MessageEvent : std::uint8_t { path_ends = 1, arrives = 2, port_ends = 4, received = 8 };

struct Event {
  Ticks time;
  std::uint64_t order;  // turn, then rank, then sequence
  Slot slot;            // a message, or a packet; of `go` and `send` the rank
  What what;
  std::uint8_t flags;

  static std::uint64_t make_order(Turn turn, int rank, std::uint64_t sequence) {
    return static_cast<std::uint64_t>(turn) << 62 | static_cast<std::uint64_t>(rank) << 42 |
           (sequence & sequences);
  }
  [[nodiscard]] Turn turn() const { return static_cast<Turn>(order >> 62); }
  friend bool operator<(const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.order < b.order;
  }

 private:
  static constexpr std::uint64_t sequences = (std::uint64_t{1} << 42) - 1;
};

// A heap with four children a node: half as deep as with two, and children share a line or two of
// cache.
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
