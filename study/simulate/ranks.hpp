// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a simulation: how their strands go from item to item and through the rounds of
// operations.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulate/meetings.hpp"
#include "simulate/network.hpp"
#include "simulate/open_requests.hpp"
#include "simulate/simulate.hpp"
#include "simulate/strand.hpp"

namespace tutti::simulate {

// Starts and receives messages (delivery.hpp).
class Delivery;

// Ticks as a double, in which they are summed; exact up to 2^53.
[[nodiscard]] constexpr double count_of(Ticks ticks) {
  return static_cast<double>(ticks);
}

class SimulatedRanks : private SeenRanks {
 public:
  SimulatedRanks(World& world, RankSource& source, const SimulationOptions& options);

  void set_delivery(Delivery& delivery) { delivery_ = &delivery; }
  void start();
  // Handle events of the strand.
  void go(Slot strand);
  void alarm(Slot strand);
  // The strand that goes on first at this instant, of those that need no event (World::ready).
  [[nodiscard]] Slot next_ready() const;
  void go_ready(Slot strand);
  // Returns the place of the strand among the events of this instant.
  [[nodiscard]] std::uint64_t order(Slot strand) const { return strands_.order(strand); }
  // A message of the strand has left its send port.
  void sent(Slot strand, const Name& message);
  // A message has arrived. Returns false if it has to wait for its receive.
  [[nodiscard]] bool received(Slot message);

  [[nodiscard]] const Strand& operator[](Slot strand) const { return strands_[strand]; }
  [[nodiscard]] int node(Slot strand) const { return strands_.node(strand); }
  [[nodiscard]] int count() const { return static_cast<int>(ranks_.size()); }
  // Returns true if the receive of a message is posted.
  [[nodiscard]] bool posted(const SimulatedMessage& message);
  // Does what posted() does, but the source of the ranks may find a receive for the message first.
  [[nodiscard]] bool finds_receive(const SimulatedMessage& message);
  // List of messages to the node that wait until a receive is posted.
  [[nodiscard]] Slot& waiters(int node) { return ranks_[static_cast<std::size_t>(node)].waiters; }
  [[nodiscard]] bool finished() const { return finished_ == count(); }
  // Returns true if the source knows no more, or wants the simulation to stop.
  [[nodiscard]] bool stopped() const { return stopped_; }
  void ask_to_stop() { stopped_ = stopped_ || source_.stops(); }
  // Returns a message that was not received; no_slot if there is none.
  [[nodiscard]] Slot left_over() const;
  [[nodiscard]] RankTime& time(int node) { return times_[static_cast<std::size_t>(node)]; }
  // Returns the node's next random number in [0, most).
  [[nodiscard]] Ticks random(int node, double most);

  // Describes which ranks wait for which others, when nothing moves any more.
  [[nodiscard]] std::string stuck() const;
  // Moves the times of the ranks into the report.
  void report(Report& report);

 private:
  struct Rank {
    std::uint32_t draws = 0;  // number of random numbers drawn
    Slot waiters = no_slot;
    Ticks sleeps_until = -1;  // -1: until it is woken
  };

  // ---- ranks.cpp: items ----
  void go_at(Slot slot, Ticks time, StrandState state);
  void take_items(Slot program);
  [[nodiscard]] bool take(Slot program, const RankItem& item);
  void compute(Slot program, Ticks until);
  [[nodiscard]] Slot start(Slot program, RequestNumber request);
  void send_alone(Slot slot, std::span<const SendMessages::Message> messages);
  void post(Slot program, const PostReceive& receive);
  void sleep(Slot program, std::optional<Ticks> until);
  void await(Slot program, RequestNumber request);
  [[nodiscard]] bool awaited(int node, RequestNumber request) const;
  [[nodiscard]] bool has_waited(int node, RequestNumber request) const;
  void done(int node, RequestNumber request);
  void end(Slot started);
  void finish(int node);
  void check_node(int node, int other) const;

  // ---- rounds.cpp: rounds of an operation ----
  void begin_operation(Slot slot, const RunOperation& run);
  void leave_operation(Slot slot);
  void begin_round(Slot slot);
  void read_round(Slot slot, const NodeRound& round);
  void read_local_work(Slot slot, const NodeRound& round);
  void expect(Slot slot, const BoundReceive& receive);
  void post_round(Slot slot);
  void exchange(Slot slot);
  void send_next(Slot slot);
  void end_round_if_done(Slot slot);
  void finish_round(Slot slot);
  void match(Slot slot, const SimulatedMessage& message, Meetings::Met met);
  void combine(Slot slot, std::int64_t bytes);
  void note_message(Slot slot, const SimulatedMessage& message);
  void note_wait(Slot slot, PathStep::Kind kind, int peer, Ticks begin, Ticks blocked,
                 History::Id before);
  void interval(Activity work, Slot slot, Ticks begin, Ticks end) const;

  // ---- together.cpp: strands that wait for each other ----
  void arrive_at_barrier(Slot program);
  void note_partner(Strand& strand, int from) const;
  void pair_up(Slot slot);
  [[nodiscard]] Ticks pair_time(int a, int b) const;
  void wake(int node) override;
  void open_receive(int node, RequestNumber request, int from) override;
  void meet(int node, RequestNumber request, int from, int number) override;
  void close_receive(int node, RequestNumber request) override;
  [[nodiscard]] Ticks now() const override { return world_.now; }
  [[nodiscard]] bool is_done(int node, RequestNumber request) const override {
    return requests_.find(node, request) == nullptr;
  }
  void tell_left(const Name& message);
  void tell_came(const SimulatedMessage& message);
  // The node that a strand waits for (-1: none), and the reason as text.
  struct Blame {
    int node = -1;
    std::string text;
  };
  [[nodiscard]] Slot unfinished(int node) const;
  [[nodiscard]] Blame blame(Slot slot) const;
  [[nodiscard]] Blame blame_sender(Slot slot) const;
  [[nodiscard]] Blame blame_request(Slot program) const;
  [[nodiscard]] Blame blame_asleep(Slot program) const;

  static bool ahead(const Strand& strand) {
    return strand.operation != nullptr && strand.operation->manner().posting == Posting::ahead;
  }

  World& world_;
  RankSource& source_;
  const SimulationOptions& options_;
  Delivery* delivery_ = nullptr;
  Strands strands_;
  std::vector<Rank> ranks_;
  std::vector<RankTime> times_;  // in ticks until report() converts them
  Slab<Send> sends_;
  Meetings meetings_;
  Instances instances_;
  OpenRequests requests_;
  History history_;
  NodeRound round_;   // the one that is read
  int telling_ = -1;  // node of which the source hears something, so that it may wake others
  const SimulatedMessage* came_ = nullptr;  // the message of which it hears, if one has come
  int at_barrier_ = 0;
  int finished_ = 0;
  bool stopped_ = false;
};

}  // namespace tutti::simulate
