// SPDX-License-Identifier: BSD-3-Clause
// How ranks go through their programs.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "simulate/network.hpp"
#include "simulate/rank.hpp"
#include "simulate/simulate.hpp"

namespace tutti::simulate {

// Starts messages; delivery.hpp.
class Delivery;

class Ranks {
 public:
  Ranks(World& world, Phases& phases, const Options& options);

  void set_delivery(Delivery& delivery) { delivery_ = &delivery; }
  void start();
  // An event for the rank.
  void go(int node);
  // A message of the rank has left its port.
  void sent(int node);
  // A message has come. False if it has to wait for its round.
  [[nodiscard]] bool received(Slot slot);

  [[nodiscard]] Rank& operator[](int node) { return ranks_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const Rank& operator[](int node) const { return ranks_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] int count() const { return static_cast<int>(ranks_.size()); }
  // Whether the receive of a message to `node` is posted.
  [[nodiscard]] bool posted(int node, const Name& message) const;
  [[nodiscard]] bool finished() const { return finished_ == count(); }
  // In [0, most), the node's next random number.
  [[nodiscard]] Ticks random(int node, double most);

  // Who waits for whom, when nothing happens any more.
  [[nodiscard]] std::string stuck() const;
  void report(Report& report) const;

 private:
  void go_at(int node, Ticks time, State state);
  void enter_phase(int node);
  void begin_operation(int node);
  void begin_round(int node);
  void read_round(int node, const schedule::Round& round);
  void read_sends(Rank& rank, const schedule::Op& op);
  void read_receive(int node, const schedule::Op& op, int before);
  // `before`: how many others the round expects.
  void expect(int node, const Entry& entry, int before);
  // The entry that expects such a message, no longer in its list; no_slot if there is none.
  [[nodiscard]] Slot take_expected(int node, int from, int round);
  void read_local_work(Rank& rank, const schedule::Round& round);
  [[nodiscard]] bool must_drain(const Rank& rank, const schedule::Round& round) const;
  void post(int node);
  void pair_up(int node);
  void exchange(int node);
  // If the message is expected.
  [[nodiscard]] bool match(int node, const Message& message);
  void gather_early(Rank& rank);
  [[nodiscard]] bool meet_early(int node, const Entry& entry);
  void combine(int node, std::int64_t bytes);
  void end_round_if_done(int node);
  void finish_round(int node);
  void send_next(int node);
  void append(Slot& first, Slot& last, const Entry& entry);
  void arrive_at_barrier(int node);
  void note_wait(int node, PathStep::Kind kind, int peer, Ticks begin, Ticks blocked, History::Id before);
  void interval(Work work, int node, Ticks begin, Ticks end) const;
  [[nodiscard]] bool ahead(const Rank& rank) const { return rank.running->operation().posting == Posting::ahead; }
  [[nodiscard]] Ticks pair_time(int a, int b) const;
  [[nodiscard]] int partner_of(int node) const;
  // Whom a rank waits for, if anybody (-1), and as text.
  struct Blame {
    int node = -1;
    std::string text;
  };
  [[nodiscard]] Blame blame(int node) const;

  World& world_;
  Phases& phases_;
  const Options& options_;
  Delivery* delivery_ = nullptr;
  std::vector<Rank> ranks_;
  Slab<Entry> entries_;
  std::map<std::array<int, 3>, Slot> many_expected_;  // by node, sender, round
  History history_;
  std::vector<Slot> arrived_;  // early messages of a round that is being read
  schedule::Round scratch_;
  int at_barrier_ = 0;
  int finished_ = 0;
};

}  // namespace tutti::simulate
