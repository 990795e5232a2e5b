// SPDX-License-Identifier: BSD-3-Clause
// Computes the medians, the predictions and the ratios that `tutti bench` prints.
#include "bench/summary.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/native.hpp"
#include "driver/line_time.h"
#include "selection/alternatives.hpp"
#include "selection/names.hpp"

namespace tutti::tools {
namespace {

double rate_in(const machine::Profile& profile, const std::string& name,
               const machine::Number& usual, const std::string& placement) {
  const auto found = profile.more.find(name + "_" + placement);
  return found == profile.more.end() ? usual.value : found->second.value;
}

const schedule::Generator* generator_of(const BenchCell& cell, const Series& series) {
  return algorithms::named(selection::operation_named(cell.op), series.algorithm);
}

std::string name_of(const BenchCell& cell, const Series& series) {
  const schedule::Generator* generator = generator_of(cell, series);
  return generator == nullptr ? series.algorithm
                              : selection::plan_name(*generator, series.settings);
}

std::optional<selection::Terms> terms_of(const BenchCell& cell, const Series& series,
                                         const BenchPlan& plan, const selection::Sharing& sharing) {
  const schedule::Generator* generator = generator_of(cell, series);
  if (generator == nullptr || algorithms::is_native(*generator)) return std::nullopt;
  selection::Question question;
  question.operation = generator->operation;
  question.p = plan.ranks;
  question.root = std::max(plan.root, 0);
  const auto found = selection::priced(question, *generator, series.settings, sharing);
  return found ? std::optional(found->terms) : std::nullopt;
}

std::vector<std::string> placements_of(const Series& series) {
  std::vector<std::string> found;
  const auto add = [&](const char* placement) {
    if (!times_in(series, placement).empty()) found.emplace_back(placement);
  };
  for (const char* placement : tutti_bench_placements) add(placement);
  add("alone");
  if (found.empty()) found.emplace_back("mixed");
  return found;
}

}  // namespace

Figures figures_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
  };
  return {static_cast<int>(values.size()), values.front(), at(0.5), at(0.95), at(0.25), at(0.75)};
}

std::vector<double> times_in(const Series& series, const std::string& placement) {
  std::vector<double> times;
  for (const Sample& sample : series.samples) {
    if (sample.placement == placement) times.push_back(sample.us);
  }
  return times;
}

selection::Rates rates_in(const machine::Profile& profile, const std::string& placement) {
  selection::Rates rates = selection::rates_of(profile);
  rates.alpha = rate_in(profile, "alpha", profile.alpha, placement);
  rates.beta = rate_in(profile, "beta", profile.beta, placement);
  rates.gamma = rate_in(profile, "gamma", profile.gamma, placement);
  return rates;
}

std::vector<CellRow> summarize(const std::map<std::string, Library>& libraries,
                               const BenchPlan& plan, const machine::Profile& profile,
                               const machine::Topology* network) {
  const selection::Sharing sharing = selection::sharing_of(profile, network);
  std::vector<CellRow> rows;
  for (const BenchCell& cell : plan.cells) {
    const Series& ours = libraries.at("tutti").at(cell);
    CellRow row{cell, ours.verified, name_of(cell, ours), {}};
    const auto terms = terms_of(cell, ours, plan, sharing);
    const auto whole = static_cast<double>(extent_of(cell, plan.ranks).bytes);
    for (const std::string& placement : placements_of(ours)) {
      PlacementRow place{placement, figures_of(times_in(ours, placement)), {}, {}};
      if (terms) place.predicted = selection::time(*terms, rates_in(profile, placement), whole);
      if (!plan.against.empty()) {
        const Figures theirs = figures_of(times_in(libraries.at(plan.against).at(cell), placement));
        if (theirs.samples > 0) place.theirs = theirs;
      }
      row.placements.push_back(std::move(place));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tutti::tools
