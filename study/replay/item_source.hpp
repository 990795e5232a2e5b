// SPDX-License-Identifier: BSD-3-Clause
// Turns what ranks have recorded into items of the simulator. The records come from a file
// (replay.cpp), or from processes that still run (timekeeper/live_source.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formats/recorded_run.hpp"
#include "simulate/rank_source.hpp"

namespace tutti::replay {

class ItemSource : public simulate::RankSource {
 public:
  void set_ranks(simulate::SeenRanks& ranks) override { ranks_ = &ranks; }
  [[nodiscard]] int nodes() const override { return static_cast<int>(places_.size()); }
  simulate::RankItem next(int node) override;
  [[nodiscard]] std::string phase_name(int node, int phase) const override;
  // Returns the call of the program to which an item belongs, from 1; empty if it is not known.
  [[nodiscard]] virtual std::string call_of(int node, int item) const = 0;

  // --- the part of what ranks do that has no time ---
  // Microseconds that all ranks together have computed; 0 if computation counts.
  [[nodiscard]] double not_computed() const { return not_computed_; }
  // Arrivals at counters, which take no time besides the wait for each other.
  [[nodiscard]] std::int64_t arrivals() const { return arrivals_; }
  // Uses of memory that others use without a message, by call.
  [[nodiscard]] const std::map<std::string, std::int64_t>& shared() const { return shared_; }

 protected:
  // Computation takes the recorded time, times the factor.
  ItemSource(std::size_t ranks, double compute) : compute_(compute), places_(ranks) {}

  // Called when the node has done all that was translated or put. Does at least one of both.
  virtual void read_on(int node) = 0;
  // Returns the operation of a call, without its request.
  [[nodiscard]] virtual simulate::RunOperation operation_of(int node,
                                                            const formats::RecordedCall& call) = 0;
  [[nodiscard]] virtual const std::string& call_name(int node, int call) const = 0;
  [[nodiscard]] virtual const std::string& counter_name(int node, int counter) const = 0;
  // Returns nullptr while nobody simulates the ranks.
  [[nodiscard]] simulate::SeenRanks* ranks() const { return ranks_; }

  void translate(int node, const formats::RecordedItem& item);
  template <class What>
  void put(int node, What what) {
    Place& place = places_[static_cast<std::size_t>(node)];
    place.ready.push_back({place.items, std::move(what)});
  }
  // The rank posts a receive for a message, and waits for it.
  void await(int node, int from, int message);
  // Returns true if something is put that the node has not taken yet.
  [[nodiscard]] bool has_ready(int node) { return !at(node).ready.empty(); }
  // Items that are put from now on belong to the next one of the record.
  void count_item(int node) { ++at(node).items; }
  // Returns a request that no record has.
  [[nodiscard]] simulate::RequestNumber own_request(int node) { return at(node).own++; }
  // The rank has ended without this message, which is received without anybody who waits for it.
  void take_at_end(int node, int from, int message);
  // The rank waits for all receives that it has not waited for, and ends.
  void end(int node);

 private:
  using Message = std::pair<int, int>;  // a sender, and which of its messages to the receiver
  struct Place {
    int items = 0;                             // that were translated
    std::deque<simulate::RankItem> ready;      // what they have become
    simulate::RequestNumber own = 1U << 31;    // requests of records are smaller
    std::set<simulate::RequestNumber> posted;  // receives that the rank has not waited for
    std::set<Message> seen;                    // messages that it has waited for and not taken
  };
  [[nodiscard]] Place& at(int node) { return places_[static_cast<std::size_t>(node)]; }
  void add(int node, const formats::RecordedCall& call);
  void add(int node, const formats::RecordedSend& send);
  void add(int node, const formats::RecordedReceive& receive);
  void add(int node, const formats::RecordedProbe& probe);
  void add(int node, const formats::RecordedPost& post);
  void add(int node, const formats::RecordedWait& wait);
  void add(int node, const formats::RecordedArrival& arrival);
  void add(int node, const formats::RecordedSpending& spending);
  void add(int node, const formats::RecordedShared& shared);

  simulate::SeenRanks* ranks_ = nullptr;
  double compute_;
  std::vector<Place> places_;
  std::map<std::string, std::vector<int>> arrived_;  // nodes that wait, by counter
  double not_computed_ = 0;
  std::int64_t arrivals_ = 0;
  std::map<std::string, std::int64_t> shared_;
};

}  // namespace tutti::replay
