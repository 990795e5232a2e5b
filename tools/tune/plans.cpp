// SPDX-License-Identifier: BSD-3-Clause
// Measures all proposed plans briefly, and then compares those that may win.
#include "tune/plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "algorithms/native.hpp"
#include "bench/choices.hpp"
#include "selection/names.hpp"
#include "selection/ranking.hpp"

namespace tutti::tools {
namespace {

// Time that one plan runs before the next one does.
constexpr double look_us = 300, comparison_us = 500;
constexpr int look_rounds = 3, comparison_rounds = fewest_pairs + 2;
constexpr int jobs_of_a_comparison = 2;
constexpr std::size_t by_model = 3, by_rounds = 2;  // numbers of plans that are proposed
constexpr std::int64_t element = sizeof(double);

using OnProgress = std::function<void(double, const std::string&)>;

BenchCell cell_of(const std::string& operation, std::int64_t bytes, int ranks) {
  const std::int64_t parts = whole_vector(operation, 1, ranks);
  return {operation, std::max(element, bytes / parts / element * element)};
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

void add_new(std::vector<std::string>& plans, const std::string& plan) {
  if (!plan.empty() && std::find(plans.begin(), plans.end(), plan) == plans.end())
    plans.push_back(plan);
}

// A cell whose plan is still to be decided.
struct Open {
  InTurn look;  // its first plan is the untuned one
  Contest contest;
  std::vector<InTurn> jobs;
};

Open open_for(const BenchCell& cell, int ranks, selection::Chooser& untuned,
              selection::Chooser& present, const machine::Profile& measured) {
  Open open{{cell, {}, {}},
            {plan_chosen(untuned, cell, ranks), plan_chosen(present, cell, ranks), ""},
            {}};
  selection::Question question;
  question.operation = selection::operation_named(cell.op);
  question.p = ranks;
  add_new(open.look.plans, open.contest.untuned);
  add_new(open.look.plans, open.contest.present);
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
  open.contest.challenger = most_promising(open.look);
  InTurn kept{open.look.cell, {open.contest.untuned}, {}};
  add_new(kept.plans, open.contest.present);
  add_new(kept.plans, open.contest.challenger);
  if (kept.plans.size() == 1) return false;
  open.look = std::move(kept);
  return true;
}

// Returns the cells of half and twice the size. A challenger must win there too before it serves
// them.
std::vector<BenchCell> beside(const BenchCell& cell) {
  std::vector<BenchCell> cells;
  if (cell.bytes >= 2 * element) cells.push_back({cell.op, cell.bytes / 2 / element * element});
  if (cell.bytes > 0) cells.push_back({cell.op, cell.bytes * 2});
  return cells;
}

// All cells for one number of ranks, and the steps of the search for their plans.
class Round {
 public:
  Round(const PlanSearch& search, int ranks, const selection::Table& present,
        const machine::Profile& measured)
      : ranks_(ranks),
        by_file_({}, std::nullopt, {present}),
        seconds_(search.seconds /
                 static_cast<double>(search.ranks.size() * (1 + jobs_of_a_comparison))) {
    for (const BenchCell& cell : cells_of(search, ranks)) {
      open_.push_back(open_for(cell, ranks, untuned_, by_file_, measured));
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
            [](Open& open, InTurn measured) { open.jobs.push_back(std::move(measured)); });
  }
  void report(std::vector<TunedPoint>& points) const {
    for (const auto* list : {&settled_, &contested_}) {
      for (const Open& open : *list) {
        const BenchCell& cell = open.look.cell;
        Decision as_before;
        as_before.plan = open.contest.untuned;
        points.push_back({selection::operation_named(cell.op), ranks_,
                          whole_vector(cell.op, cell.bytes, ranks_), open.contest.untuned,
                          open.contest.present,
                          list == &settled_ ? as_before : decide(open.contest, open.jobs)});
      }
    }
  }

 private:
  [[nodiscard]] bool has(const BenchCell& cell) const {
    const auto is_it = [&](const Open& open) { return open.look.cell == cell; };
    return std::any_of(settled_.begin(), settled_.end(), is_it) ||
           std::any_of(contested_.begin(), contested_.end(), is_it);
  }
  void add_neighbours() {
    for (std::size_t i = 0, count = contested_.size(); i < count; ++i) {
      const std::string challenger = contested_[i].contest.challenger;
      if (challenger.empty()) continue;
      for (const BenchCell& cell : beside(contested_[i].look.cell)) {
        if (has(cell)) continue;
        Open open{
            {cell, {}, {}},
            {plan_chosen(untuned_, cell, ranks_), plan_chosen(by_file_, cell, ranks_), challenger},
            {}};
        for (const std::string* plan :
             {&open.contest.untuned, &open.contest.present, &open.contest.challenger}) {
          add_new(open.look.plans, *plan);
        }
        if (open.look.plans.size() > 1) contested_.push_back(std::move(open));
      }
    }
  }

  int ranks_;
  selection::Chooser untuned_, by_file_;
  double seconds_;
  std::vector<Open> open_, settled_, contested_;
};

}  // namespace

std::vector<std::string> proposed_plans(const selection::Question& question, std::int64_t bytes,
                                        const machine::Profile& measured) {
  const selection::Rates rates = selection::rates_of(measured);
  selection::Rankings rankings(measured);
  const auto found = rankings.of(question).alternatives();
  std::vector<const selection::Alternative*> all;
  for (const selection::Alternative& one : found) {
    if (!algorithms::is_native(*one.generator)) all.push_back(&one);
  }
  std::vector<std::string> plans;
  std::vector<const schedule::Generator*> seen;
  const auto take = [&](std::size_t most) {
    for (const selection::Alternative* one : all) {
      if (most == 0) return;
      if (std::find(seen.begin(), seen.end(), one->generator) != seen.end()) continue;
      seen.push_back(one->generator);
      plans.push_back(selection::plan_name(*one->generator, one->settings));
      --most;
    }
  };
  const auto size = static_cast<double>(bytes);
  std::stable_sort(all.begin(), all.end(), [&](const auto* a, const auto* b) {
    return selection::time(a->terms, rates, size) < selection::time(b->terms, rates, size);
  });
  take(by_model);
  const auto rounds = [&](const selection::Alternative& one) {
    return one.generator->rounds(one.settings.shape(question.p));
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto* a, const auto* b) { return rounds(*a) < rounds(*b); });
  take(by_rounds);
  return plans;
}

std::vector<TunedPoint> compare_plans(const PlanSearch& search, const selection::Table& present,
                                      const machine::Profile& measured,
                                      const OnProgress& progress) {
  std::vector<TunedPoint> points;
  const double parts = static_cast<double>(search.ranks.size()) * (1 + jobs_of_a_comparison);
  double done = 0;
  const auto part = [&](int ranks) {
    return [&, ranks](double within, const std::string& what) {
      progress((done + std::min(within, 1.0)) / parts,
               fmt::format("{} processes: {}", ranks, what));
    };
  };
  for (const int ranks : search.ranks) {
    Round round(search, ranks, present, measured);
    round.look(part(ranks));
    done += 1;
    for (int job = 0; job < jobs_of_a_comparison; ++job, done += 1) round.compare(part(ranks));
    round.report(points);
  }
  std::stable_sort(points.begin(), points.end(), [](const TunedPoint& a, const TunedPoint& b) {
    return std::tie(a.operation, a.ranks, a.bytes) < std::tie(b.operation, b.ranks, b.bytes);
  });
  return points;
}

}  // namespace tutti::tools
