// SPDX-License-Identifier: BSD-3-Clause
// Counts what a schedule costs while the verifier runs it. verifier.cpp says what every rank
// sends, receives and combines; nobody else uses this.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/counts.hpp"

namespace tutti::schedule {

class Tally {
 public:
  Tally(int p, const Durations& durations);

  // Begins a round in which these ranks do something. Its sends are told first.
  void begin_round(const std::vector<int>& active);
  // Counts a message of so many blocks and returns when it was issued.
  Time send(int rank, std::int64_t blocks);
  // Says that the rank works in the second phase of the round, whatever it does there.
  void work(int rank);
  void receive(int rank, std::int64_t blocks, Time issued);
  void combine(int rank, std::int64_t blocks);
  void end_round();

  // In every round a rank sends at most one message and receives at most one.
  [[nodiscard]] bool one_port() const { return one_port_; }
  // Returns all counts after the last round.
  [[nodiscard]] Counts finish(int root);

 private:
  struct OfRank {
    int sends = 0, receives = 0;  // these five: of the round at hand
    std::int64_t blocks_sent = 0, blocks_received = 0, combines = 0;
    int last_round = -1;
  };

  OfRank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  Durations durations_;
  ModelClocks clocks_;
  Counts counts_;
  bool one_port_ = true;
  int messages_ = 0;  // of the round
  std::vector<int> active_;
  std::vector<OfRank> ranks_;
};

}  // namespace tutti::schedule
