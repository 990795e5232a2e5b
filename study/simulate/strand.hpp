// SPDX-License-Identifier: BSD-3-Clause
// A strand does one thing after the other. The program of a rank is a strand, and so is each
// operation and each send that the rank has started beside its program.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/bound.hpp"
#include "simulate/events.hpp"
#include "simulate/history.hpp"
#include "simulate/instances.hpp"
#include "simulate/rank_source.hpp"
#include "simulate/slab.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

enum class StrandState : std::uint8_t {
  between,     // about to take the next item
  beginning,   // about to begin its next round
  pairing,     // waits for its partner in a pairwise exchange
  paired,      // has met its partner and goes on with its round
  exchanging,  // sends and receives
  draining,    // waits for messages of earlier rounds
  at_barrier,  // waits for all ranks
  awaiting,    // waits for a request
  asleep,      // waits until its source wakes it
  finished
};

// A message to be sent; `next` links the messages of a round into a list.
struct Send {
  Slot next;
  std::int32_t to;  // node of the receiver
  std::int64_t bytes;
  std::int32_t number;  // of a message outside of operations, else -1
};

struct Strand {
  Ticks free_since = 0;                 // time at which its own part of the round was done
  Ticks busy_until = 0;                 // time until which it combines
  Ticks local_work = 0;                 // copies and local combines at the end of the round
  BoundOperation* operation = nullptr;  // nullptr: it is in no operation
  Instance* instance = nullptr;         // of the operation
  History::Id history = 0;
  std::int32_t member = -1;
  std::int32_t phase = 0;  // RankItem::phase
  std::int32_t round = 0;
  std::int32_t partner = -1;
  std::int32_t sends = 0;     // messages to be sent or being sent
  std::int32_t receives = 0;  // messages that have not arrived
  Slot first_send = no_slot;
  StrandState state = StrandState::between;
  bool posts = false;     // true if the receives of this round are posted
  bool computes = false;  // true if its local work is not only to copy and combine
  bool ready = false;     // goes on at this instant (World::ready)

  void next_round() {
    ++round;
    posts = false;
  }
  // Number of rounds of its operation whose receives are posted.
  [[nodiscard]] std::int32_t posted() const { return round + (posts ? 1 : 0); }
  [[nodiscard]] std::uint32_t context() const {
    return instance == nullptr ? no_operation : instance->context;
  }
};

// The strands of all ranks. The slot of a rank's program is the rank's own number, and those of
// what ranks have started come after these.
class Strands {
 public:
  explicit Strands(int nodes)
      : nodes_(static_cast<Slot>(nodes)), programs_(nodes_), first_(nodes_, no_slot) {}

  [[nodiscard]] Strand& operator[](Slot slot) {
    return is_program(slot) ? programs_[slot] : started(slot).strand;
  }
  [[nodiscard]] const Strand& operator[](Slot slot) const {
    return is_program(slot) ? programs_[slot] : started(slot).strand;
  }
  [[nodiscard]] bool is_program(Slot slot) const { return slot < nodes_; }
  [[nodiscard]] int node(Slot slot) const {
    return is_program(slot) ? static_cast<int>(slot) : started(slot).node;
  }
  // Returns the turn of a strand among those of all ranks: the lowest rank is first, and of a rank
  // its program and then what it has started, in that order.
  [[nodiscard]] std::uint64_t order(Slot slot) const {
    return Event::make_order(Turn::rank, node(slot), is_program(slot) ? 0 : started(slot).number);
  }

  // Adds a strand that the node has started.
  [[nodiscard]] Slot start(int node, RequestNumber request) {
    const Slot slot = nodes_ + started_.take();
    started(slot) = {Strand{}, node, request, ++count_, no_slot};
    *place(node, no_slot) = slot;
    return slot;
  }
  void end(Slot slot) {
    *place(node(slot), slot) = started(slot).next;
    started_.give(slot - nodes_);
  }
  [[nodiscard]] RequestNumber request(Slot slot) const { return started(slot).request; }
  // Returns the strand that the node has started with this request; no_slot if there is none.
  [[nodiscard]] Slot of(int node, RequestNumber request) const {
    Slot slot = first_[static_cast<std::size_t>(node)];
    while (slot != no_slot && started(slot).request != request) slot = started(slot).next;
    return slot;
  }
  [[nodiscard]] bool has_started(int node) const {
    return first_[static_cast<std::size_t>(node)] != no_slot;
  }

  // Returns the first strand of the node of which the condition holds; no_slot if there is none.
  template <class Condition>
  [[nodiscard]] Slot find(int node, Condition&& condition) const {
    if (condition(programs_[static_cast<std::size_t>(node)])) return static_cast<Slot>(node);
    Slot slot = first_[static_cast<std::size_t>(node)];
    while (slot != no_slot && !condition(started(slot).strand)) slot = started(slot).next;
    return slot;
  }
  // Returns the strand of the node that is in an operation.
  [[nodiscard]] Slot in(int node, std::uint32_t context) const {
    return find(node, [&](const Strand& strand) { return strand.context() == context; });
  }

 private:
  struct Started {
    Strand strand;
    int node = 0;
    RequestNumber request = 0;
    std::uint64_t number = 0;  // ascends in the order in which strands were started
    Slot next = no_slot;       // of the same node
  };
  [[nodiscard]] Started& started(Slot slot) { return started_[slot - nodes_]; }
  [[nodiscard]] const Started& started(Slot slot) const { return started_[slot - nodes_]; }
  // Returns where the node's list names a strand; its end for no_slot.
  [[nodiscard]] Slot* place(int node, Slot slot) {
    Slot* at = &first_[static_cast<std::size_t>(node)];
    while (*at != slot) at = &started(*at).next;
    return at;
  }

  Slot nodes_;
  std::vector<Strand> programs_;
  std::vector<Slot> first_;  // by node: the first of what it has started
  Slab<Started> started_;
  std::uint64_t count_ = 0;
};

}  // namespace tutti::simulate
