// SPDX-License-Identifier: BSD-3-Clause
// Decides between plans from pairs of times.
#include "tune/decide.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::tools {
namespace {

std::size_t index_of(const InTurn& job, const std::string& plan) {
  return static_cast<std::size_t>(std::find(job.plans.begin(), job.plans.end(), plan) -
                                  job.plans.begin());
}

// Skips the placement "mixed", in which processors moved or other processes disturbed the
// measurement.
bool is_slower_somewhere(const std::vector<Turn>& turns, std::size_t plan, std::size_t over) {
  for (const std::string& placement : placements_in(turns)) {
    const Ratio ratio = ratio_of(turns, plan, over, placement);
    if (placement != "mixed" && ratio.pairs >= fewest_pairs && ratio.median > 1) return true;
  }
  return false;
}

Comparison verdict_in(const InTurn& job, const std::string& plan, const std::string& over) {
  return compare(job.turns, index_of(job, plan), index_of(job, over));
}

bool wins_everywhere(const std::vector<InTurn>& jobs, const std::string& plan,
                     const std::string& over) {
  return std::all_of(jobs.begin(), jobs.end(), [&](const InTurn& job) {
    return verdict_in(job, plan, over) == Comparison::wins;
  });
}

std::vector<double> ratios_over(const std::vector<InTurn>& jobs, const std::string& plan,
                                const std::string& over) {
  std::vector<double> ratios;
  for (const InTurn& job : jobs) {
    ratios.push_back(
        plan == over ? 1 : ratio_of(job.turns, index_of(job, plan), index_of(job, over)).median);
  }
  return ratios;
}

}  // namespace

Comparison compare(const std::vector<Turn>& turns, std::size_t plan, std::size_t over,
                   double winning) {
  const Ratio ratio = ratio_of(turns, plan, over);
  if (ratio.pairs < fewest_pairs) return Comparison::unknown;
  const bool faster = ratio.median <= winning && ratio.upper < 1;
  if (faster && !is_slower_somewhere(turns, plan, over)) return Comparison::wins;
  const bool slower = ratio.median >= 1 / winning && ratio.lower > 1;
  if (slower && !is_slower_somewhere(turns, over, plan)) return Comparison::loses;
  return Comparison::even;
}

Decision decide(const Contest& contest, const std::vector<InTurn>& jobs) {
  Decision decision;
  decision.plan = contest.present;
  decision.present_ratios = ratios_over(jobs, contest.present, contest.untuned);
  const bool enough = !jobs.empty() && std::all_of(jobs.begin(), jobs.end(), [](const InTurn& job) {
    return static_cast<int>(job.turns.size()) >= fewest_pairs;
  });
  if (!enough) {
    decision.decided = false;
    return decision;
  }
  const bool present_is_faster =
      std::all_of(decision.present_ratios.begin(), decision.present_ratios.end(),
                  [](double ratio) { return ratio <= staying_ratio; });
  if (!present_is_faster) decision.plan = contest.untuned;
  const bool challenged =
      !contest.challenger.empty() && wins_everywhere(jobs, contest.challenger, contest.untuned) &&
      (contest.present == contest.challenger || contest.present == contest.untuned ||
       wins_everywhere(jobs, contest.challenger, contest.present));
  if (challenged) decision.plan = contest.challenger;
  decision.ratios = ratios_over(jobs, decision.plan, contest.untuned);
  return decision;
}

RatesVerdict assess_rates(const std::vector<MeasuredContest>& cells) {
  constexpr int fewest_changes = 3;
  constexpr double clearly_better = 0.98;
  RatesVerdict verdict;
  std::vector<double> logs;
  for (const MeasuredContest& cell : cells) {
    const Contest& contest = cell.contest;
    if (contest.rated == contest.untuned || cell.jobs.empty()) continue;
    ++verdict.changed;
    const std::vector<double> ratios = ratios_over(cell.jobs, contest.rated, contest.untuned);
    logs.resize(std::max(logs.size(), ratios.size()));
    for (std::size_t job = 0; job < ratios.size(); ++job) logs[job] += std::log(ratios[job]);
  }
  for (const double log : logs) verdict.ratios.push_back(std::exp(log / verdict.changed));
  verdict.accepted = verdict.changed >= fewest_changes &&
                     std::all_of(verdict.ratios.begin(), verdict.ratios.end(),
                                 [](double ratio) { return ratio <= clearly_better; });
  return verdict;
}

std::string most_promising(const InTurn& measured) {
  std::string found;
  double least = promising_ratio;
  for (std::size_t plan = 1; plan < measured.plans.size(); ++plan) {
    const Ratio ratio = ratio_of(measured.turns, plan, 0);
    if (ratio.pairs == 0 || ratio.median > least) continue;
    least = ratio.median;
    found = measured.plans[plan];
  }
  return found;
}

}  // namespace tutti::tools
