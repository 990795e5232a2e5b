// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a simulation, and how they go through the rounds and phases of their programs.
#pragma once

#include <string>
#include <vector>

#include "simulate/meetings.hpp"
#include "simulate/network.hpp"
#include "simulate/rank.hpp"
#include "simulate/simulate.hpp"

namespace tutti::simulate {

// Starts and receives messages (delivery.hpp).
class Delivery;

// Ticks as a double, in which they are summed; exact up to 2^53.
[[nodiscard]] constexpr double count_of(Ticks ticks) {
  return static_cast<double>(ticks);
}

class SimulatedRanks {
 public:
  SimulatedRanks(World& world, Phases& phases, const SimulationOptions& options);

  void set_delivery(Delivery& delivery) { delivery_ = &delivery; }
  void start();
  // Handles an event of the rank.
  void go(int node);
  // Sends the next message of the rank, or puts it off until its port is free.
  void send_next(int node);
  // A message of the rank has left its send port.
  void sent(int node);
  // A message has arrived. Returns false if it has to wait for its round.
  [[nodiscard]] bool received(Slot slot);

  [[nodiscard]] SimulatedRank& operator[](int node) {
    return ranks_[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] const SimulatedRank& operator[](int node) const {
    return ranks_[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] int count() const { return static_cast<int>(ranks_.size()); }
  // Returns true if the receive of a message to `node` is posted.
  [[nodiscard]] bool posted(int node, const Name& message) const;
  [[nodiscard]] bool finished() const { return finished_ == count(); }
  // Returns a message that arrived before its round and was not received; no_slot if there is none.
  [[nodiscard]] Slot left_over() const;
  [[nodiscard]] RankTime& time(int node) { return times_[static_cast<std::size_t>(node)]; }
  // Returns the node's next random number in [0, most).
  [[nodiscard]] Ticks random(int node, double most);

  // Describes which ranks wait for which others, when nothing moves any more.
  [[nodiscard]] std::string stuck() const;
  // Moves the times of the ranks into the report.
  void report(Report& report);

 private:
  void go_at(int node, Ticks time, RankState state);
  void advance(int node);
  [[nodiscard]] bool hold(int node);
  [[nodiscard]] const MemberWait* unmet_wait(const SimulatedRank& rank) const;
  void enter_phase(int node);
  void begin_operation(int node);
  void begin_round(int node);
  void read_round(int node, const schedule::Round& round);
  [[nodiscard]] Slot read_sends(SimulatedRank& rank, const schedule::Op& op, Slot last);
  void read_receive(int node, const schedule::Op& op);
  void read_local_work(int node, const schedule::Round& round);
  [[nodiscard]] Ticks work_of(const SimulatedRank& rank) const;
  // The time of a round without messages.
  [[nodiscard]] Ticks idle_of(const SimulatedRank& rank, const schedule::Round& round) const;
  void expect(int node, int from, Meetings::Receive kind);
  void note_partner(SimulatedRank& rank, int from) const;
  [[nodiscard]] bool must_drain(const SimulatedRank& rank, const schedule::Round& round) const;
  void post(int node);
  void pair_up(int node);
  void exchange(int node);
  void match(int node, const SimulatedMessage& message, bool combines);
  void combine(int node, std::int64_t bytes);
  void end_round_if_done(int node);
  void finish_round(int node);
  void arrive_at_barrier(int node);
  void note_wait(int node, PathStep::Kind kind, int peer, Ticks begin, Ticks blocked,
                 History::Id before);
  void interval(Activity work, int node, Ticks begin, Ticks end) const;
  [[nodiscard]] bool ahead(const SimulatedRank& rank) const {
    return rank.running->operation().posting == Posting::ahead;
  }
  [[nodiscard]] Ticks pair_time(int a, int b) const;
  // The node that a rank waits for (-1: none), and the reason as text.
  struct Blame {
    int node = -1;
    std::string text;
  };
  [[nodiscard]] Blame blame(int node) const;

  World& world_;
  Phases& phases_;
  const SimulationOptions& options_;
  Delivery* delivery_ = nullptr;
  std::vector<SimulatedRank> ranks_;
  std::vector<RankTime> times_;  // in ticks until report() converts them
  Slab<Send> sends_;
  Meetings meetings_;
  History history_;
  schedule::Round scratch_;
  std::vector<std::vector<int>>
      holding_;  // by node: those that wait for it; empty if none ever did
  int at_barrier_ = 0;
  int finished_ = 0;
};

}  // namespace tutti::simulate
