// SPDX-License-Identifier: BSD-3-Clause
// The tests of the theorems share this: a search for schedules that need a condition, and questions
// about the rounds of a schedule.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "drawn.hpp"
#include "schedule/verifier.hpp"

namespace tutti::schedule::theorems {

using Names = std::set<std::string>;

// Collects what became of schedules.
class Search {
 public:
  explicit Search(Names conditions) : conditions_(std::move(conditions)) {}

  void take(const Names& broken, const Verdict& verdict) {
    if (broken.empty()) {
      ++accepted_;
      EXPECT_EQ(verdict.problem, "") << "although all conditions hold";
    } else if (broken.size() == 1 && !verdict.correct()) {
      needed_.insert(*broken.begin());
    }
  }
  void finish() const {
    EXPECT_GE(accepted_, 50);
    EXPECT_EQ(needed_, conditions_) << "nothing is refused that breaks one of the others alone";
  }

 private:
  Names conditions_, needed_;
  int accepted_ = 0;
};

inline void add_if(Names& names, bool broken, const char* name) {
  if (broken) names.insert(name);
}

template <class F>
void for_each_round(const drawn::Programs& programs, F f) {
  for (const Program& program : programs)
    for (const Round& round : program) f(round);
}

inline std::vector<std::pair<int, int>> cells_of(const Blocks& blocks) {
  std::vector<std::pair<int, int>> cells;
  for (const Block& b : blocks)
    for (int j = 0; j < b.times; ++j)
      for (int i = 0; i < b.count; ++i)
        cells.emplace_back(static_cast<int>(b.buffer), b.first + j * b.stride + i);
  return cells;
}

inline bool overlap(const Blocks& a, const Blocks& b) {
  const auto one = cells_of(a), other = cells_of(b);
  return std::any_of(one.begin(), one.end(), [&](const auto& cell) {
    return std::find(other.begin(), other.end(), cell) != other.end();
  });
}

inline bool takes_message(const Op& op) {
  return op.what == Do::receive || op.what == Do::receive_combine;
}
inline bool is_local(const Op& op) {
  return op.what == Do::copy || op.what == Do::combine;
}

// A drawn shape.
struct Draw {
  int p, root, blocks, rounds;
  explicit Draw(std::mt19937& random)
      : p(2 + static_cast<int>(random() % 3)),
        root(static_cast<int>(random() % static_cast<unsigned>(p))),
        blocks(1 + static_cast<int>(random() % 2)),
        rounds(2 + static_cast<int>(random() % 3)) {}
  [[nodiscard]] Shape shape() const { return {.p = p, .root = root}; }
};

}  // namespace tutti::schedule::theorems
