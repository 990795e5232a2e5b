// SPDX-License-Identifier: BSD-3-Clause
// Decides which plan `tutti tune` writes into a profile, from pairs of times that were taken in
// turn, in more than one job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/in_turn.hpp"

namespace tutti::tools {

constexpr int fewest_pairs = 8;  // fewer pairs decide nothing
// Largest ratio to the untuned median at which a plan of the file stays.
constexpr double staying_ratio = 0.95;
// Largest ratio of medians at which a new plan wins. One job in twenty of the same plans differs
// from another one by more.
constexpr double winning_ratio = 1 / 1.2;
constexpr double promising_ratio = 0.9;  // up to which a plan is worth a comparison

enum class Comparison : std::uint8_t { wins, even, loses, unknown };

// Compares one plan with another in one job. A plan wins if it is faster by more than the spread of
// the times: it wins three quarters of the pairs, its median ratio is at most `winning`, and it is
// slower in no placement with enough pairs. Losing is the reverse.
[[nodiscard]] Comparison compare(const std::vector<Turn>& turns, std::size_t plan, std::size_t over,
                                 double winning = winning_ratio);

// The plans that a decision is about. The first three may be equal. The challenger is a plan that
// seemed better than the untuned one; it may be empty.
struct Contest {
  std::string untuned;  // the plan that is chosen without any file
  std::string rated;    // the plan that is chosen by the rates that were fitted here
  std::string present;  // the plan that is chosen with the present file
  std::string challenger;
};

struct Decision {
  std::string plan;
  // False if there are too few pairs; the present plan then stays.
  bool decided = true;
  std::vector<double> ratios;          // ratio of the plan to the untuned one, in each job
  std::vector<double> present_ratios;  // ratio of the present plan to the untuned one, in each job
};

// `jobs` has the same cell in several jobs, with all plans of the contest. Returns the untuned plan
// unless the present one was slightly faster in each job. A challenger must win against both in
// each job. Where the rates that were fitted here will choose, their plan is given as the untuned
// one.
[[nodiscard]] Decision decide(const Contest& contest, const std::vector<InTurn>& jobs);

// How the plans chosen by fitted rates compare with those chosen by the rates of `host`.
struct RatesVerdict {
  int changed = 0;             // cells in which they choose another plan
  std::vector<double> ratios;  // geometric mean of the ratios of times, in each job
  // The fitted rates choose better: by 2 % in each job, with at least three changes.
  bool accepted = false;
};
struct MeasuredContest {
  Contest contest;
  std::vector<InTurn> jobs;
};
[[nodiscard]] RatesVerdict assess_rates(const std::vector<MeasuredContest>& cells);

// Compares times. Returns the plan with the least median ratio to the first plan of `measured`, if
// that ratio is at most promising_ratio; else an empty text.
[[nodiscard]] std::string most_promising(const InTurn& measured);

}  // namespace tutti::tools
