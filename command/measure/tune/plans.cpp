// SPDX-License-Identifier: BSD-3-Clause
// Measures all proposed plans briefly, and then compares those that may win.
#include "tune/plans.hpp"
#include "bench/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "algorithms/native.hpp"
#include "base/processors.hpp"
#include "bench/choices.hpp"
#include "driver/driver.h"
#include "selection/host_ranking.hpp"
#include "selection/names.hpp"
#include "selection/ranking.hpp"

namespace tutti::tools {
namespace {
// Time that one plan runs before the next one does.
constexpr double look_us = 300, comparison_us = 500;
constexpr int look_rounds = 3, comparison_rounds = fewest_pairs + 2;
constexpr int jobs_of_a_comparison = 2;
constexpr std::size_t by_price = 4, by_model = 2;  // numbers of plans that are proposed

using OnProgress = std::function<void(double, const std::string&)>;

BenchCell cell_of(const std::string& operation, std::int64_t bytes, int ranks) {
  const std::int64_t parts = whole_vector(operation, 1, ranks);
  return {operation, std::max(bench_element, bytes / parts / bench_element * bench_element)};
}

std::vector<BenchCell> cells_of(const PlanSearch& search, int ranks) {
  std::vector<BenchCell> cells;
  for (const std::string& operation : search.operations) {
    for (const std::int64_t bytes : search.sizes) {
      const bool has_data = selection::operation_named(operation) != schedule::Operation::barrier;
      const BenchCell cell = has_data ? cell_of(operation, bytes, ranks) : BenchCell{operation, 0};
      if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
    }
  }
  return cells;
}

// Adds a plan that is not there yet, as long as all can run in one job.
void add_new(std::vector<std::string>& plans, const std::string& plan) {
  const bool known = std::find(plans.begin(), plans.end(), plan) != plans.end();
  if (!plan.empty() && !known && plans.size() < bench_most_plans) plans.push_back(plan);
}

// The plans of the contest without the challenger, the untuned one first.
InTurn chosen_plans(const BenchCell& cell, const Contest& contest) {
  InTurn turns{cell, {}, {}};
  for (const std::string* plan : {&contest.untuned, &contest.rated, &contest.present})
    add_new(turns.plans, *plan);
  return turns;
}

// A cell whose plan is still to be decided.
struct Open {
  InTurn look;  // its first plan is the untuned one
  MeasuredContest measured;
};

// Choosers by the rates of `host`, by those that were fitted here, and by the rows of the file.
struct Choosers {
  selection::Chooser untuned, rated, present;

  [[nodiscard]] Contest contest_in(const BenchCell& cell, int ranks) {
    return {plan_chosen(untuned, cell, ranks), plan_chosen(rated, cell, ranks),
            plan_chosen(present, cell, ranks), ""};
  }
};

Open open_for(const BenchCell& cell, int ranks, Choosers& choosers,
              const machine::Profile& measured) {
  Open open{{}, {choosers.contest_in(cell, ranks), {}}};
  selection::Question question;
  question.operation = selection::operation_named(cell.op);
  question.p = ranks;
  open.look = chosen_plans(cell, open.measured.contest);
  for (const std::string& plan :
       proposed_plans(question, whole_vector(cell.op, cell.bytes, ranks), measured)) {
    add_new(open.look.plans, plan);
  }
  return open;
}

template <class Take>
void run_all(std::vector<Open>& all, const TurnLimits& limits, const OnProgress& progress,
             const Take& take) {
  std::vector<InTurn> cells;
  for (const Open& open : all) cells.push_back({open.look.cell, open.look.plans, {}});
  run_in_turn(cells, limits, progress);
  for (std::size_t i = 0; i < all.size(); ++i) take(all[i], std::move(cells[i]));
}

// Keeps only the plans of the contest, the untuned one first. Returns false if only that one is
// left.
bool narrow(Open& open) {
  Contest& contest = open.measured.contest;
  contest.challenger = most_promising(open.look);
  open.look = chosen_plans(open.look.cell, contest);
  add_new(open.look.plans, contest.challenger);
  return open.look.plans.size() > 1;
}

// Returns the cells of half and twice the size. A challenger must win there too before it serves
// them.
std::vector<BenchCell> beside(const BenchCell& cell) {
  std::vector<BenchCell> cells;
  if (cell.bytes >= 2 * bench_element)
    cells.push_back({cell.op, cell.bytes / 2 / bench_element * bench_element});
  if (cell.bytes > 0) cells.push_back({cell.op, cell.bytes * 2});
  return cells;
}

// All cells for one number of ranks, and the steps of the search for their plans.
class Round {
 public:
  Round(const PlanSearch& search, int ranks, const selection::Table& present,
        const machine::Profile& measured)
      : ranks_(ranks),
        present_(present),
        choosers_{selection::Chooser(), selection::Chooser({}, measured),
                  selection::Chooser({}, std::nullopt, {present})},
        seconds_(search.seconds /
                 static_cast<double>(search.ranks.size() * (1 + jobs_of_a_comparison))) {
    for (const BenchCell& cell : cells_of(search, ranks)) {
      open_.push_back(open_for(cell, ranks, choosers_, measured));
    }
  }
  void look(const OnProgress& progress) {
    run_all(open_, {ranks_, seconds_, look_rounds, look_us}, progress,
            [](Open& open, InTurn measured) { open.look = std::move(measured); });
    for (Open& open : open_) (narrow(open) ? contested_ : settled_).push_back(std::move(open));
    add_neighbours();
  }
  void compare(const OnProgress& progress) {
    run_all(contested_, {ranks_, seconds_, comparison_rounds, comparison_us}, progress,
            [](Open& open, InTurn measured) { open.measured.jobs.push_back(std::move(measured)); });
  }
  // Gives the contests that were measured in two jobs.
  void add_to(std::vector<MeasuredContest>& all) const {
    for (const Open& open : contested_) all.push_back(open.measured);
  }
  // Decides. The rates that were fitted here choose where no row does if `rates_accepted`.
  void report(bool rates_accepted, std::vector<TunedPoint>& points) const {
    for (const Open& open : settled_) points.push_back(point_of(open, {}));
    for (const Open& open : contested_) {
      Open shown = open;
      Contest& contest = shown.measured.contest;
      if (rates_accepted) contest = contest_by_rates(contest, present_, point_of(open, {}));
      points.push_back(point_of(shown, decide(contest, shown.measured.jobs)));
    }
  }

 private:
  [[nodiscard]] TunedPoint point_of(const Open& open, Decision decision) const {
    const BenchCell& cell = open.look.cell;
    const Contest& contest = open.measured.contest;
    if (decision.plan.empty()) decision.plan = contest.untuned;
    return {selection::operation_named(cell.op),
            ranks_,
            whole_vector(cell.op, cell.bytes, ranks_),
            contest.untuned,
            contest.present,
            std::move(decision)};
  }
  [[nodiscard]] bool has(const BenchCell& cell) const {
    const auto is_it = [&](const Open& open) { return open.look.cell == cell; };
    return std::any_of(settled_.begin(), settled_.end(), is_it) ||
           std::any_of(contested_.begin(), contested_.end(), is_it);
  }
  void add_neighbours() {
    for (std::size_t i = 0, count = contested_.size(); i < count; ++i) {
      const std::string challenger = contested_[i].measured.contest.challenger;
      if (challenger.empty()) continue;
      for (const BenchCell& cell : beside(contested_[i].look.cell)) {
        if (has(cell)) continue;
        Contest contest = choosers_.contest_in(cell, ranks_);
        contest.challenger = challenger;
        Open open{chosen_plans(cell, contest), {contest, {}}};
        add_new(open.look.plans, challenger);
        if (open.look.plans.size() > 1) contested_.push_back(std::move(open));
      }
    }
  }

  int ranks_;
  const selection::Table& present_;
  Choosers choosers_;
  double seconds_;
  std::vector<Open> open_, settled_, contested_;
};

}  // namespace

std::vector<std::string> proposed_plans(const selection::Question& question, std::int64_t bytes,
                                        const machine::Profile& measured) {
  std::vector<std::string> plans;
  std::vector<const schedule::Generator*> seen;
  const auto take = [&](const schedule::Generator& generator, const selection::Settings& settings) {
    if (algorithms::is_native(generator)) return false;
    if (std::find(seen.begin(), seen.end(), &generator) != seen.end()) return false;
    seen.push_back(&generator);
    plans.push_back(selection::plan_name(generator, settings));
    return true;
  };
  selection::HostRanking prices(selection::host_rates_of(measured),
                                static_cast<int>(base::usable_cpus()));
  for (const selection::HostPlan& plan : prices.all(question, bytes))
    if (plans.size() < by_price) take(*plan.generator, {});
  const selection::Rates rates = selection::rates_of(measured);
  const auto size = static_cast<double>(bytes);
  selection::Rankings rankings(measured);
  auto by_time = rankings.of(question).alternatives();
  std::vector<const selection::Alternative*> all;
  for (const selection::Alternative& one : by_time) all.push_back(&one);
  std::stable_sort(all.begin(), all.end(), [&](const auto* a, const auto* b) {
    return selection::time(a->terms, rates, size) < selection::time(b->terms, rates, size);
  });
  std::size_t taken = 0;
  for (const selection::Alternative* one : all)
    if (taken < by_model && take(*one->generator, one->settings)) ++taken;
  return plans;
}

Contest contest_by_rates(Contest contest, const selection::Table& present,
                         const TunedPoint& point) {
  contest.untuned = contest.rated;
  if (!has_row_for(present, point)) contest.present = contest.rated;
  return contest;
}

ComparedPlans compare_plans(const PlanSearch& search, const selection::Table& present,
                            const machine::Profile& measured, const OnProgress& progress) {
  ComparedPlans found;
  const double parts = static_cast<double>(search.ranks.size()) * (1 + jobs_of_a_comparison);
  double done = 0;
  const auto part = [&](int ranks) {
    return [&, ranks](double within, const std::string& what) {
      progress((done + std::min(within, 1.0)) / parts,
               fmt::format("{} processes: {}", ranks, what));
    };
  };
  std::vector<Round> rounds;
  std::vector<MeasuredContest> contests;
  for (const int ranks : search.ranks) {
    Round& round = rounds.emplace_back(search, ranks, present, measured);
    round.look(part(ranks));
    done += 1;
    for (int job = 0; job < jobs_of_a_comparison; ++job, done += 1) round.compare(part(ranks));
    round.add_to(contests);
  }
  found.rates = assess_rates(contests);
  for (const Round& round : rounds) round.report(found.rates.accepted, found.points);
  std::stable_sort(
      found.points.begin(), found.points.end(), [](const TunedPoint& a, const TunedPoint& b) {
        return std::tie(a.operation, a.ranks, a.bytes) < std::tie(b.operation, b.ranks, b.bytes);
      });
  return found;
}

}  // namespace tutti::tools
