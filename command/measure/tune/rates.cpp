// SPDX-License-Identifier: BSD-3-Clause
// Measures cells and fits rates to them. bench/regret_fit.py fits to ratios that were saved, and
// only to them. Here the times of the fastest plans count, too, but little. Ratios stay the same if
// all rates grow by one factor; the times determine this factor.
#include "tune/rates.hpp"
#include "bench/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/processors.hpp"
#include "bench/in_turn.hpp"
#include "bench/summary.hpp"
#include "launch/supervisor.hpp"
#include "selection/names.hpp"
#include "selection/settings.hpp"

namespace tutti::tools {
namespace {
using selection::host_rate_keys;
using selection::HostRates;

using Logs = std::array<double, std::size(host_rate_keys)>;

constexpr double prior_weight = 0.01;     // of the distance from the rates at the start
constexpr double absolute_weight = 0.15;  // of the times of the fastest plans
constexpr double least_price = 1e-9, least_rate = 1e-12;

Logs logs_of(const HostRates& rates) {
  Logs logs{};
  for (std::size_t i = 0; i < logs.size(); ++i)
    logs[i] = std::log(std::max(rates.*host_rate_keys[i].rate, least_rate));
  return logs;
}

HostRates rates_of_logs(const Logs& logs) {
  HostRates rates;
  for (std::size_t i = 0; i < logs.size(); ++i) rates.*host_rate_keys[i].rate = std::exp(logs[i]);
  return rates;
}

double log_price(const RatedPlan& plan, const selection::HostPlace& place, const HostRates& rates) {
  return std::log(host_times(plan.counts, rates, plan.block_bytes, place).total() + least_price);
}

const RatedPlan& fastest_in(const RatedCell& cell) {
  return *std::min_element(cell.plans.begin(), cell.plans.end(),
                           [](const RatedPlan& a, const RatedPlan& b) { return a.us < b.us; });
}

// A loss that grows like the square of a small error and like a large error.
double soft(double error) {
  return std::sqrt(1 + error * error) - 1;
}

// Compares how many times slower than the fastest plan this one was measured and is priced. Returns
// the difference of the two logarithms.
double error_of(const RatedPlan& plan, const RatedPlan& fastest, const RatedCell& cell,
                const HostRates& rates) {
  return std::log(plan.us / fastest.us) -
         (log_price(plan, cell.place, rates) - log_price(fastest, cell.place, rates));
}

double loss(std::span<const RatedCell> cells, const Logs& logs, const Logs& start) {
  const HostRates rates = rates_of_logs(logs);
  double total = 0;
  for (const RatedCell& cell : cells) {
    const RatedPlan& fastest = fastest_in(cell);
    for (const RatedPlan& plan : cell.plans)
      total += std::sqrt(fastest.us / plan.us) * soft(error_of(plan, fastest, cell, rates));
    total += absolute_weight * soft(std::log(fastest.us) - log_price(fastest, cell.place, rates));
  }
  double apart = 0;
  for (std::size_t i = 0; i < logs.size(); ++i)
    apart += (logs[i] - start[i]) * (logs[i] - start[i]);
  return total / static_cast<double>(cells.size()) + prior_weight * apart;
}

// Searches along one rate after the other, with steps that get shorter.
Logs least_loss(std::span<const RatedCell> cells, const Logs& start) {
  constexpr double first_step = 0.4, last_step = 0.05, gain = 1e-7;
  Logs logs = start;
  double least = loss(cells, logs, start);
  for (double step = first_step; step >= last_step;) {
    bool better = false;
    for (std::size_t i = 0; i < logs.size(); ++i) {
      for (const double move : {step, -step}) {
        Logs tried = logs;
        tried[i] += move;
        const double found = loss(cells, tried, start);
        if (found >= least - gain) continue;
        logs = tried;
        least = found;
        better = true;
        break;
      }
    }
    if (!better) step /= 2;
  }
  return logs;
}

struct CellToRate {
  const char* operation;
  std::int64_t bytes;  // of the whole vector
};
// Neighbours differ in operation, and each number of ranks gets short and long vectors.
constexpr CellToRate cells_to_rate[] = {
    {"allreduce", 8},     {"bcast", 8},       {"allgather", 512},    {"bcast", 65536},
    {"allreduce", 65536}, {"reduce", 65536},  {"alltoall", 16384},   {"gather", 4096},
    {"allreduce", 4096},  {"reduce", 524288}, {"allgather", 524288}, {"bcast", 524288}};
constexpr std::size_t most_plans = 6;
constexpr int rounds = 6;
constexpr double block_us = 400;  // time that one plan runs before the next one does
constexpr int most_ranks = 256;

// Returns 2, the processors, and two and eight ranks for each processor.
std::vector<int> numbers_of_ranks(int processors) {
  std::vector<int> numbers;
  for (const int number : {2, processors, 2 * processors, 8 * processors}) {
    const int ranks = std::clamp(number, 2, most_ranks);
    if (std::find(numbers.begin(), numbers.end(), ranks) == numbers.end()) numbers.push_back(ranks);
  }
  return numbers;
}

// A cell that is to be measured, with the plans in the order of `turns.plans`.
struct Wanted {
  InTurn turns;
  std::vector<selection::HostPlan> plans;
  double vector_bytes = 0;
};

Wanted wanted_for(const CellToRate& what, int ranks, selection::HostRanking& ranking) {
  const std::int64_t parts = whole_vector(what.operation, 1, ranks);

  Wanted wanted;
  wanted.turns.cell = {what.operation,
                       std::max(bench_element, what.bytes / parts / bench_element * bench_element)};
  selection::Question question;
  question.operation = selection::operation_named(what.operation);
  question.p = ranks;
  const std::int64_t bytes = whole_vector(what.operation, wanted.turns.cell.bytes, ranks);
  wanted.vector_bytes = static_cast<double>(bytes);
  wanted.plans = spread_plans(ranking, question, bytes, most_plans);
  for (const selection::HostPlan& plan : wanted.plans)
    wanted.turns.plans.push_back(selection::plan_name(*plan.generator, selection::Settings{}));
  return wanted;
}

RatedCell rated(const Wanted& wanted, const std::vector<Turn>& turns,
                const selection::HostPlace& place) {
  RatedCell cell{place, {}};
  std::vector<double> first;
  for (const Turn& turn : turns) first.push_back(turn.us.front());
  const double us = figures_of(std::move(first)).median;
  for (std::size_t i = 0; i < wanted.plans.size(); ++i) {
    const selection::HostPlan& plan = wanted.plans[i];
    cell.plans.push_back(
        {plan.counts, wanted.vector_bytes / plan.parts, us * ratio_of(turns, i, 0).median});
  }
  return cell;
}

}  // namespace

RateFit fit_rates(std::span<const RatedCell> cells, const HostRates& start) {
  RateFit fit;
  fit.rates = start;
  if (cells.empty()) return fit;
  fit.rates = rates_of_logs(least_loss(cells, logs_of(start)));
  fit.cells = static_cast<int>(cells.size());
  std::vector<double> errors;
  for (const RatedCell& cell : cells) {
    const RatedPlan& fastest = fastest_in(cell);
    for (const RatedPlan& plan : cell.plans) {
      if (&plan != &fastest)
        errors.push_back(std::exp(std::abs(error_of(plan, fastest, cell, fit.rates))));
    }
  }
  fit.plans = static_cast<int>(errors.size()) + fit.cells;
  if (errors.empty()) return fit;
  std::sort(errors.begin(), errors.end());
  fit.median_error = errors[errors.size() / 2];
  fit.p90_error = errors[std::min(errors.size() - 1, errors.size() * 9 / 10)];
  return fit;
}

std::vector<selection::HostPlan> spread_plans(selection::HostRanking& ranking,
                                              const selection::Question& question,
                                              std::int64_t bytes, std::size_t most) {
  constexpr double too_slow = 20;  // over the cheapest: such a plan tells little and takes long
  std::vector<selection::HostPlan> all;
  for (const selection::HostPlan& plan : ranking.all(question, bytes)) {
    const double price = plan.times.total();
    if (!all.empty() && price > too_slow * all.front().times.total()) break;
    if (all.empty() || price > all.back().times.total() * 1.001) all.push_back(plan);
  }
  if (all.size() <= most) return all;
  std::vector<selection::HostPlan> spread;
  for (std::size_t i = 0; i < most; ++i) spread.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return spread;
}

std::vector<RatedCell> measure_rated_cells(
    double seconds, const std::function<void(double, const std::string&)>& progress) {
  const int processors = static_cast<int>(base::usable_cpus());
  const std::vector<int> numbers = numbers_of_ranks(processors);
  selection::HostRanking ranking(selection::host_rates_of(machine::load("host")), processors);
  std::vector<RatedCell> cells;
  for (std::size_t number = 0; number < numbers.size(); ++number) {
    const int ranks = numbers[number];
    launch::require_room(ranks);
    std::vector<Wanted> wanted;
    std::vector<InTurn> turns;
    for (std::size_t i = number; i < std::size(cells_to_rate); i += numbers.size()) {
      wanted.push_back(wanted_for(cells_to_rate[i], ranks, ranking));
      if (wanted.back().plans.size() < 2) wanted.pop_back();
    }
    for (const Wanted& one : wanted) turns.push_back(one.turns);
    const auto count = static_cast<double>(numbers.size());
    run_in_turn(turns, {ranks, seconds / count, rounds, block_us},
                [&](double done, const std::string& what) {
                  progress((static_cast<double>(number) + std::min(done, 1.0)) / count,
                           fmt::format("{} processes: {}", ranks, what));
                });
    for (std::size_t i = 0; i < wanted.size(); ++i)
      cells.push_back(rated(wanted[i], turns[i].turns, {ranks, processors}));
  }
  return cells;
}

std::string rates_toml(const RateFit& fit, const std::string& date) {
  std::string text = fmt::format(
      "\n# Rates of the price in shared memory, from {} plans in {} cells on {}. The ratio of a "
      "plan to "
      "the\n# best of its cell is wrong by a factor of {:.2f} in the median, and of {:.2f} for "
      "one plan in ten.\n[shared_memory]\n",
      fit.plans, fit.cells, date, fit.median_error, fit.p90_error);
  for (const selection::HostRateKey& key : host_rate_keys) {
    text += fmt::format(
        "{} = {{value = {:.6e}, status = \"fitted\", source = \"ratios of plans that ran in turn; "
        "tutti tune\"}}\n",
        key.name, fit.rates.*key.rate);
  }
  return text;
}

}  // namespace tutti::tools
