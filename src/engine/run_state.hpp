// SPDX-License-Identifier: BSD-3-Clause
// The state of one run of a lowered Program: to what data it is bound, and how far each op has
// come. It is plain data. Five micro-operations (steps.hpp) change it, and two drivers call these:
// one for rounds of short messages (straight.hpp), one for all others (rounds.hpp). A LoweredRun
// owns it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/lowered.hpp"
#include "engine/memory.hpp"
#include "engine/run.hpp"

namespace tutti::engine {

// How far an op has come.
struct OpState {
  std::int64_t total = 0;  // elements; equal in every run with the same n
  std::uint64_t total_bytes = 0;
  // Elements that are sent, received or combined with all operands. An operator on whole vectors
  // counts operands instead.
  std::int64_t done = 0;
  bool finished = true;  // false only in a round that goes on, once it was entered
  // How its message travels beside packets (transport/handover.hpp): a receiver has offered to take
  // it, or its sender has handed over the rest.
  enum class Way : std::uint8_t { packets, offered, handed_over } way = Way::packets;
  std::uint64_t first = 0;  // number of its first packet on the channel; 0: not known yet
  std::int32_t looks = 0;   // of a send for an offer of its receiver

  // Forgets the message of an earlier run.
  void begin() {
    done = 0;
    way = Way::packets;
    first = 0;
    looks = 0;
  }
};

// The facts that are known of an op before it runs. A quick one has one peer at most, and its
// message is one packet without a fragment that is one run of bytes on this side. Most ops are.
struct ResolvedOp {
  schedule::Do what{};
  bool quick = false;
  bool no_message = false;  // both ends know that there is nothing to send
  bool message_first = false;
  // A send that another op of its round must not overtake, at least where input and output share
  // memory; and one that it must not overtake in any case.
  bool is_gate = false, is_gate_anywhere = false;
  std::uint32_t bytes = 0;
  std::int64_t elements = 0;
  // From which the message comes, or, of a quick send, to which it goes; nullptr if there is none.
  transport::Channel* channel = nullptr;
  BoundMemory::Place blocks{}, local{};
};

// The driver of a round: op by op where each message is one packet without a fragment
// (straight.hpp), any other round by looks at all ops (rounds.hpp).
enum class Driver : std::uint8_t { straight, looks };

// Sizes that a run has changed because shorter messages came (shorter.hpp).
struct Shortened {
  std::int64_t n = -1;               // elements of the whole vector before; -1: they stayed
  std::vector<std::uint32_t> ops;    // those that had more elements before
  std::vector<std::int64_t> totals;  // how many
  [[nodiscard]] bool any() const { return n >= 0 || !ops.empty(); }
};

struct RunState : RunFacts {
  RunState(const LoweredPlan& of, transport::Transport& over, InFlight& beside,
           const Identity& named);

  [[nodiscard]] Slice ops() const { return plan->rounds[round]; }
  [[nodiscard]] std::int64_t elements_of(const transport::Packet& packet,
                                         const OpState& state) const {
    return packet.bytes == state.total_bytes
               ? state.total
               : static_cast<std::int64_t>(packet.bytes / memory.element_bytes());
  }
  // Returns true if the op has no gates, or has them only for operands in the same memory, which
  // these operands are not.
  [[nodiscard]] bool overtakes_nothing(const MicroOp& op) const {
    return op.gates.size() == 0 || (op.gates_across && operands_apart);
  }
  // Returns true if all sends that this op must not overtake have finished.
  [[nodiscard]] bool gates_open(const MicroOp& op) const {
    if (overtakes_nothing(op)) return true;
    for (std::uint32_t i = op.gates.begin; i < op.gates.end; ++i)
      if (!states[plan->gates[i]].finished) return false;
    return true;
  }
  // Returns how many elements an op may write by now: not more than the unfinished sends of this
  // round have read. A finished send sets no limit, because it may have had fewer elements.
  [[nodiscard]] std::int64_t limit_of(const MicroOp& op, std::int64_t total) const {
    std::int64_t limit = total;
    if (overtakes_nothing(op)) return limit;
    for (std::uint32_t i = op.gates.begin; i < op.gates.end; ++i) {
      const OpState& send = states[plan->gates[i]];
      if (!send.finished && send.done < limit) limit = send.done;
    }
    return limit;
  }
  // Says how a message of so many bytes is cut in this round.
  [[nodiscard]] transport::Cutting cut_of(std::uint64_t length, bool offered_soon = false) const {
    return transport::cut({.bytes = length,
                           .unit = memory.element_bytes(),
                           .beside = alongside[round],
                           .offered_soon = offered_soon},
                          limits, transport->idler().processors());
  }
  // Binds sizes and steps to what memory is bound to, and forgets shorter messages.
  void set_totals();
  void set_total(std::uint32_t index, std::int64_t elements);
  // Says that nothing of this round has been done.
  void enter_round();
  void leave_round() {
    ++round;
    entered = false;
  }

  const LoweredPlan* plan;
  transport::Transport* transport;
  transport::CutLimits limits;
  std::uint32_t inline_limit;  // of these
  BoundMemory memory;
  const data::Operator* reducer = nullptr;
  bool on_vectors = false;       // the reducer takes whole vectors
  bool entered = false;          // states are those of this round
  bool operands_apart = false;   // input and output share no memory
  bool both_ends_count = false;  // sender and receiver of each block both know if it is empty
  bool evenly_cut = true;
  Shortened shortened;
  std::vector<OpState> states;               // one per entry of plan->ops
  std::vector<ResolvedOp> steps;             // one per entry of plan->ops
  std::vector<std::int64_t> operand_done;    // elements folded in; one per entry of plan->operands
  std::vector<Driver> drivers;               // one per round
  std::vector<transport::Beside> alongside;  // one per round: what this rank does beside a send
  // Results of staged ops, one per entry of plan->ops where there is a staged op.
  std::vector<std::vector<std::byte>> staging;
  // Copy of a message that a user's function gets in place of the sender's memory.
  std::vector<std::byte> private_operand;
  // Whole messages for an operator on whole vectors, one per entry of plan->ops.
  std::vector<std::vector<std::byte>> collected;

 private:
  void resolve(std::uint32_t index);
  [[nodiscard]] bool is_short(Slice ops) const;
};

}  // namespace tutti::engine
