// SPDX-License-Identifier: BSD-3-Clause
// The cost of a schedule, counted while it is verified: the terms of the alpha-beta-gamma model,
// and times in the model of the BLACS paper (000, chapters 4 and 5).
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

namespace tutti::schedule {

// A sum of T_c (a complete communication), T_o (one combine) and T_s (a send). Times compare as if
// T_c were much longer than T_o, and T_o much longer than T_s. The formulas of the paper pick the
// rank that waits longest in this way.
struct Time {
  int complete = 0;
  int operation = 0;
  int send = 0;
  friend auto operator<=>(const Time&, const Time&) = default;
  friend Time operator+(Time a, Time b) {
    return {a.complete + b.complete, a.operation + b.operation, a.send + b.send};
  }
};
constexpr Time communication{1, 0, 0}, combination{0, 1, 0}, sending{0, 0, 1};

// How long T_c, T_o and T_s are. Durations of zero are unknown: times then compare as above.
struct Durations {
  double complete = 0, operation = 0, send = 0;

  [[nodiscard]] double of(const Time& time) const {
    return complete * time.complete + operation * time.operation + send * time.send;
  }
  [[nodiscard]] Time later(const Time& a, const Time& b) const {
    const double first = of(a), second = of(b);
    if (first == second) return std::max(a, b);
    return first > second ? a : b;
  }
};

struct Counts {
  int rounds = 0;  // rounds with messages
  std::int64_t messages = 0;
  std::int64_t volume = 0;    // blocks sent
  std::int64_t combines = 0;  // blocks combined, once per operand beyond the first
  // Coefficients of alpha, beta * (bytes of a block) and gamma * (bytes of a block): messages,
  // blocks sent and blocks combined along the rounds. Each is the sum over rounds of the largest
  // count of any rank. A rank sends and receives at the same time.
  std::int64_t alpha = 0;
  std::int64_t beta = 0;
  std::int64_t gamma = 0;
  Time root;               // when the root has finished
  Time longest;            // when the last rank has finished
  std::vector<int> sends;  // messages of each round
  std::vector<int> done;   // ranks that have finished after each round
  friend bool operator==(const Counts&, const Counts&) = default;
};

// The clocks of all ranks in the model of the BLACS paper. A rank issues the sends of a round one
// after another, each taking T_s. A message is there T_c after its send was issued. A rank takes
// its messages one at a time, T_c each, but sends meanwhile. Combining one message overlaps with
// taking the next.
class ModelClocks {
 public:
  ModelClocks(int p, const Durations& durations)
      : ranks_(static_cast<std::size_t>(p)), durations_(durations) {}

  // begin_round() and end_round() enclose what a rank does in a round. A rank that does nothing
  // needs neither.
  void begin_round(int rank) {
    Rank& r = at(rank);
    r.sent = r.received = r.result = r.ready;
  }
  void end_round(int rank) {
    Rank& r = at(rank);
    r.ready = durations_.later(durations_.later(r.sent, r.received), r.result);
  }
  // Returns the time at which the send was issued.
  Time send(int rank) {
    Rank& r = at(rank);
    const Time issued = r.sent;
    r.sent = issued + sending;
    return issued;
  }
  void receive(int rank, Time issued) {
    Rank& r = at(rank);
    r.received = durations_.later(r.received, issued) + communication;
  }
  // Combines the operands so far with the last message received.
  void combine(int rank) {
    Rank& r = at(rank);
    r.result = durations_.later(r.result, r.received) + combination;
  }
  Time finished(int rank) const { return ranks_[static_cast<std::size_t>(rank)].ready; }

 private:
  struct Rank {
    Time ready, sent, received, result;
  };
  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  std::vector<Rank> ranks_;
  Durations durations_;
};

}  // namespace tutti::schedule
