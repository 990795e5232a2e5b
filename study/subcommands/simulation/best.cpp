// SPDX-License-Identifier: BSD-3-Clause
// Asks for the prices of a call, and lets the best plans race.
#include "simulation/best.hpp"

#include <algorithm>
#include <utility>

#include "selection/explain.hpp"
#include "selection/headers.hpp"
#include "support/call.hpp"

namespace tutti::tools {

namespace {

// Prices the plans of one algorithm, or of all.
selection::Explanation explained_for(const Setting& setting, const Extent& extent,
                                     const schedule::Generator* only) {
  selection::Question question;
  question.operation = setting.operation;
  question.p = setting.ranks;
  question.root = setting.root;
  question.only = only;
  const machine::Topology& network = *setting.machine.network.topology;
  if (question.p == network.nodes()) question.mesh = machine::mesh_of(network);
  return selection::explain(question, extent.bytes, setting.machine.profile, &network);
}

}  // namespace

std::string simulated_name(const selection::Forced& plan) {
  const std::string name = shown_name(*plan.generator, plan.settings);
  const bool one =
      plan.generator->parameter == schedule::Parameter::segments && plan.settings.segments == 1;
  return one ? name + ":segments=1" : name;
}

Candidate with_settings(Candidate candidate, const Setting& setting, const Extent& extent) {
  if (!candidate.best_settings) return candidate;
  selection::Explanation explained = explained_for(setting, extent, candidate.algorithm.generator);
  if (explained.rows.empty()) return candidate;
  selection::Alternative& best = explained.rows.front().alternative;
  candidate.algorithm.settings = std::move(best.settings);
  candidate.name = simulated_name(candidate.algorithm);
  return candidate;
}

std::vector<Candidate> best_by_price(const Setting& setting, const Extent& extent, int most) {
  selection::Explanation explained = explained_for(setting, extent, nullptr);
  // Lower bounds are no prices. They stand behind all prices, if there are any.
  const auto is_bound = [](const selection::Row& row) { return row.alternative.is_lower_bound(); };
  if (!std::all_of(explained.rows.begin(), explained.rows.end(), is_bound))
    std::erase_if(explained.rows, is_bound);
  std::vector<Candidate> best;
  for (selection::Row& row : explained.rows) {
    if (static_cast<int>(best.size()) == most) break;
    Candidate candidate;
    candidate.name = row.alternative.name;
    candidate.algorithm = {row.alternative.generator, std::move(row.alternative.settings)};
    candidate.price = row.time;
    best.push_back(std::move(candidate));
  }
  return best;
}

std::vector<Outcome> simulated_best(const std::vector<Candidate>& candidates, Setting setting,
                                    const Extent& extent,
                                    const std::function<void(const Candidate&)>& next) {
  std::vector<Outcome> outcomes;
  for (const Candidate& candidate : candidates) {
    next(candidate);
    outcomes.push_back(simulated(candidate, setting, extent));
    const Outcome& last = outcomes.back();
    if (!last.report.stopped) setting.limit = std::min(setting.limit, last.mean);
  }
  std::stable_sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) {
    const bool both = !a.report.stopped && !b.report.stopped;
    return both ? a.mean < b.mean : !a.report.stopped && b.report.stopped;
  });
  return outcomes;
}

}  // namespace tutti::tools
