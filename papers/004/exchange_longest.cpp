// SPDX-License-Identifier: BSD-3-Clause
// Simulates the implementations of paper 004, and keeps what it has simulated.
#include "papers/004/exchange_longest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "papers/common/simulated.hpp"

namespace tutti::papers {
namespace {

constexpr std::array<const char*, 6> six_names{"linear",     "stable",     "pairwise_F",
                                               "standard_F", "pairwise_U", "standard_U"};
constexpr std::int64_t largest_short = 128;

// Cells that were asked for, with what is known of them.
struct Known {
  bool searches = false;
  SeedsOfCells seeds;
  std::map<ExchangeCell, double> longest;
};
Known& known() {
  static Known all;
  return all;
}

const ExchangeSeeds& seeds_of(const ExchangeCell& cell) {
  const auto [at, fresh] = known().seeds.try_emplace(cell);
  const auto kept = kept_seeds().find(cell);
  if (fresh)
    at->second =
        kept == kept_seeds().end() || known().searches ? searched_seeds(cell) : kept->second;
  return at->second;
}

// Nearly all cells of a large cube are asked for by the same entries, so they are simulated
// together.
void simulate_kept(int dimension) {
  std::vector<std::pair<ExchangeCell, std::uint64_t>> runs;
  for (const auto& [cell, seeds] : kept_seeds())
    if (cell.dimension == dimension) runs.emplace_back(cell, seeds.longest);
  std::vector<double> times(runs.size());
  on_all_processors(runs.size(),
                    [&](std::size_t i) { times[i] = time_of_run(runs[i].first, runs[i].second); });
  for (std::size_t i = 0; i < runs.size(); ++i) known().longest[runs[i].first] = times[i];
}

double longest_of(const ExchangeCell& cell) {
  constexpr int large = 5;
  const ExchangeSeeds seeds = seeds_of(cell);
  auto& times = known().longest;
  if (!known().searches && cell.dimension >= large && !times.contains(cell) &&
      kept_seeds().contains(cell))
    simulate_kept(cell.dimension);
  const auto [at, fresh] = times.try_emplace(cell);
  if (fresh) at->second = time_of_run(cell, seeds.longest);
  return at->second;
}

}  // namespace

std::span<const char* const> six() {
  return six_names;
}

ExchangeCell cell_of(const std::string& name, int dimension, std::int64_t block) {
  return {name, dimension, block, tools::exchange_named(name).implementation->sync};
}

Spread spread_of(const ExchangeCell& cell) {
  return {time_of_run(cell, seeds_of(cell).shortest), longest_of(cell)};
}

void search_all_seeds() {
  known().searches = true;
}

const SeedsOfCells& seeds_in_use() {
  return known().seeds;
}

double longest(const std::string& name, int dimension, std::int64_t block) {
  return longest_of(cell_of(name, dimension, block));
}

double mean_time(const ExchangeCell& cell) {
  static std::map<ExchangeCell, double> means;
  if (const auto found = means.find(cell); found != means.end()) return found->second;
  const std::vector<double> times = times_of_runs(cell, runs_of_means);
  return means[cell] = std::accumulate(times.begin(), times.end(), 0.0) / runs_of_means;
}

bool competes(const std::string& name, std::int64_t block) {
  const bool always = name == "linear" || name == "stable" || name == "pairwise_F";
  return always || block <= largest_short;
}

std::vector<std::string> leaders(int dimension, std::int64_t block) {
  std::map<std::string, double> times;
  for (const std::string name : six_names)
    if (competes(name, block)) times[name] = longest(name, dimension, block);
  const auto shorter = [](const auto& a, const auto& b) { return a.second < b.second; };
  const double least = std::ranges::min_element(times, shorter)->second;
  std::vector<std::string> found;
  for (const std::string name : six_names)
    if (competes(name, block) && (1 - error_of_model().relative) * times.at(name) <= least)
      found.push_back(name);
  return found;
}

Tolerance error_of_model() {
  return {
      .relative = 0.02,
      .reason = "unforced messages of 101 to 4096 bytes lie up to 2 % off the law of section 2.2"};
}

Tolerance about_twice() {
  return {.relative = 0, .absolute = 0.5, .reason = "the paper says: about twice"};
}

machine::Machine undisturbed(machine::Machine machine) {
  machine.node.drift = machine.node.noise = 0;
  return machine;
}

void add_machine(Result& result) {
  add_parameters(result, machine_on("ipsc860", "hypercube:7", part_of_the_cube));
  for (const auto& [label, dimension] :
       {std::pair{"runs for dimensions 1 to 5", 5}, std::pair{"runs for dimensions 6 and 7", 7}})
    result.parameters.push_back({label, static_cast<double>(runs_of(dimension)), "",
                                 "as many as in the paper; their seeds are 1, 2, and so on"});
  result.notes.emplace_back(
      "The seeds of the shortest and the longest of all runs were searched once by "
      "tutti-exchange-seeds; the two runs are simulated now.");
  result.notes.emplace_back(
      "The paper's points are not in its text: what it says about them is compared. It does not "
      "print the costs of synchronisation, of a shuffle and of what disturbs a run; the machine "
      "file has them fitted to what section 6 says about the dimensions 3, 5 and 7, and "
      "to its statement that standard_F is not the best for dimension 6.");
}

}  // namespace tutti::papers
