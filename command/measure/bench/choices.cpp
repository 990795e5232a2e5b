// SPDX-License-Identifier: BSD-3-Clause
// Implements `tutti bench --choices`: turns names of choices into plans and measured plans into
// rows.
#include "bench/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/native.hpp"
#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "driver/driver.h"
#include "machine/host.hpp"
#include "selection/machine_info.hpp"
#include "selection/names.hpp"
#include "selection/policy.hpp"

namespace tutti::tools {
namespace {

constexpr const char* untuned_name = "default";
constexpr const char* tuned_name = "tuned";

bool is_wanted(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_algorithm(const std::string& name) {
  const std::string_view word = algorithms::name_in(name);
  for (int number = 0; number < schedule::operation_kinds; ++number) {
    if (algorithms::named(static_cast<schedule::Operation>(number), word) != nullptr) return true;
  }
  return false;
}

selection::MachineInfo guidance_for(const std::string& profile) {
  if (profile.empty()) return selection::machine_info_of_environment();
  selection::MachineInfo guidance;
  guidance.profile = {profile, machine::document_of(profile)};
  return guidance;
}

// Returns the file in which a job would look first.
std::string origin_of(const selection::MachineInfo& guidance) {
  const std::string& by_table = guidance.table.document.origin;
  return by_table.empty() ? guidance.profile.document.origin : by_table;
}

selection::Question question_of(const BenchCell& cell, int ranks) {
  selection::Question question;
  question.operation = selection::operation_named(cell.op);
  question.p = ranks;
  return question;
}

// Returns the full name of a plan, or an empty text if the operation has no algorithm of that name
// or if the algorithm cannot serve so many ranks.
std::string plan_named(const std::string& name, const BenchCell& cell, int ranks) {
  const selection::Question question = question_of(cell, ranks);
  if (algorithms::named(question.operation, algorithms::name_in(name)) == nullptr) return {};
  const selection::Forced plan = selection::parse_plan(question.operation, name);
  std::string full = selection::plan_name(*plan.generator, plan.settings);
  const bool serves =
      selection::rejection({plan.generator, plan.settings, full, {}, {}}, question).empty();
  return serves ? full : std::string();
}

// Returns each different plan of a row once, in the order in which they first occur.
std::vector<std::string> different(const std::vector<std::string>& plans) {
  std::vector<std::string> found;
  for (const std::string& plan : plans) {
    if (std::find(found.begin(), found.end(), plan) == found.end()) found.push_back(plan);
  }
  return found;
}

std::size_t index_in(const std::vector<std::string>& plans, const std::string& plan) {
  return static_cast<std::size_t>(std::find(plans.begin(), plans.end(), plan) - plans.begin());
}

Figures figures_in(const std::vector<Turn>& turns, std::size_t plan, const std::string& placement) {
  std::vector<double> times;
  for (const Turn& turn : turns) {
    if (turn.placement == placement) times.push_back(turn.us[plan]);
  }
  return figures_of(std::move(times));
}

std::vector<double> ratios_in(const InTurn& measured, const std::vector<std::string>& plans,
                              const std::string& placement) {
  std::vector<double> ratios;
  for (const std::string& plan : plans) {
    const bool same = plan == plans.front();
    ratios.push_back(
        same ? 1 : ratio_of(measured.turns, index_in(measured.plans, plan), 0, placement).median);
  }
  return ratios;
}

// Checks the number of plans before the driver does, whose message would not name the reason.
void require_few(const BenchCell& cell, std::size_t plans) {
  constexpr std::size_t most = bench_most_plans;
  if (plans <= most) return;
  base::fail(base::Status::invalid_argument,
             "--choices comes to {} different plans for {}, but at most {} run in turn in one job; "
             "leave some out, or measure them in several runs with the same first choice",
             plans, cell.op, most);
}

void summarize(ChoiceRow& row, const InTurn& measured) {
  row.ratios = ratios_in(measured, row.plans, "");
  for (const std::string& placement : placements_in(measured.turns)) {
    ChoicePlace place{placement, {}, ratios_in(measured, row.plans, placement)};
    for (const std::string& plan : row.plans) {
      place.figures.push_back(
          figures_in(measured.turns, index_in(measured.plans, plan), placement));
    }
    row.placements.push_back(std::move(place));
  }
}

}  // namespace

Choices::Choices(std::vector<std::string> names, const std::string& profile)
    : names_(std::move(names)) {
  if (names_.size() < 2) {
    base::fail(base::Status::invalid_argument,
               "--choices needs two or more of default, tuned and names of algorithms");
  }
  for (const std::string& name : names_) {
    if (name == untuned_name || name == tuned_name || is_algorithm(name)) continue;
    base::fail(base::Status::invalid_argument,
               "--choices: there is no '{}'; there are default, tuned and the algorithms of tutti "
               "info --algorithms",
               name);
  }
  if (!is_wanted(names_, tuned_name)) return;
  const selection::MachineInfo guidance = guidance_for(profile);
  origin_ = origin_of(guidance);
  if (origin_.empty()) {
    base::fail(base::Status::invalid_argument,
               "--choices tuned: there is no profile and no table; run tutti tune, or give "
               "--profile FILE");
  }
  tuned_ = selection::chooser_of({}, guidance);
}

std::vector<std::string> Choices::plans_for(const BenchCell& cell, int ranks, std::string& why) {
  std::vector<std::string> plans;
  for (const std::string& name : names_) {
    std::string plan = name == untuned_name ? plan_chosen(untuned_, cell, ranks)
                       : name == tuned_name ? plan_chosen(tuned_, cell, ranks)
                                            : plan_named(name, cell, ranks);
    if (plan.empty()) {
      why = fmt::format("{} by {}: there is no such algorithm for {} processes", cell.op, name,
                        ranks);
      return {};
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::string plan_chosen(selection::Chooser& chooser, const BenchCell& cell, int ranks) {
  const selection::Question question = question_of(cell, ranks);
  return selection::plan_name(question.operation,
                              chooser.choose(question, extent_of(cell, ranks).bytes));
}

ChoiceReport run_choices(Choices& choices, const std::vector<BenchCell>& cells,
                         const TurnLimits& limits,
                         const std::function<void(double, const std::string&)>& progress) {
  ChoiceReport report{limits.ranks, choices.names(), choices.origin(), {}, {}, {}};
  std::vector<InTurn> measured;
  for (const BenchCell& cell : cells) {
    std::string why;
    std::vector<std::string> plans = choices.plans_for(cell, limits.ranks, why);
    if (plans.empty()) {
      const bool known =
          std::find(report.left_out.begin(), report.left_out.end(), why) != report.left_out.end();
      if (!known) report.left_out.push_back(why);
      continue;
    }
    measured.push_back({cell, different(plans), {}});
    require_few(cell, measured.back().plans.size());
    report.rows.push_back({cell, std::move(plans), {}, {}});
  }
  if (measured.empty()) base::fail(base::Status::invalid_argument, "{}", report.left_out.front());
  run_in_turn(measured, limits, progress);
  for (std::size_t i = 0; i < measured.size(); ++i) summarize(report.rows[i], measured[i]);
  return report;
}

std::vector<double> mean_ratios(const ChoiceReport& report, const std::string& operation) {
  std::vector<double> means(report.names.size(), 0);
  int rows = 0;
  for (const ChoiceRow& row : report.rows) {
    if (!operation.empty() && row.cell.op != operation) continue;
    ++rows;
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += std::log(row.ratios[i]);
  }
  for (double& mean : means) mean = std::exp(mean / std::max(rows, 1));
  return means;
}

}  // namespace tutti::tools
