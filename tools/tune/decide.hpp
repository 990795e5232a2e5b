// SPDX-License-Identifier: BSD-3-Clause
// Which plan `tutti tune` lets a profile name: from pairs of times that were taken in turn, in more
// than one job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/in_turn.hpp"

namespace tutti::tools {

constexpr int fewest_pairs = 8;         // fewer decide nothing
constexpr double staying_ratio = 0.98;  // of the median of a plan that the file has
constexpr double winning_ratio = 0.95;  // of the median

enum class Comparison : std::uint8_t { wins, even, loses, unknown };

// Of one plan over another in one job. It wins where it is faster by more than the times spread:
// three quarters of the pairs are won, the median by 5 %, and it is slower in no placement that was
// seen often enough. Losing is the reverse.
[[nodiscard]] Comparison compare(const std::vector<Turn>& turns, std::size_t plan,
                                 std::size_t over);

// The plans that a decision is about. The first two may be the same; a challenger is a plan that
// seemed to be better than both, or empty.
struct Contest {
  std::string untuned;  // what is chosen without any file
  std::string present;  // what the present file makes of it
  std::string challenger;
};

struct Decision {
  std::string plan;
  bool decided = true;                 // false: too few pairs, the present plan stays
  std::vector<double> ratios;          // of the plan over the untuned one, in each job
  std::vector<double> present_ratios;  // of the present plan over the untuned one
};

// `jobs`: the same cell in several jobs, with all plans of the contest. The untuned plan is taken
// unless the present one was a little faster in each job; a challenger must win against both in
// each job.
[[nodiscard]] Decision decide(const Contest& contest, const std::vector<InTurn>& jobs);

// The plan with the least median over the first of a cell's plans, if that is below winning_ratio;
// else empty.
[[nodiscard]] std::string most_promising(const InTurn& measured);

}  // namespace tutti::tools
