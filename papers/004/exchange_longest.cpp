// SPDX-License-Identifier: BSD-3-Clause
// Simulates the implementations of paper 004, and keeps what it has simulated.
#include "papers/004/exchange_longest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <future>
#include <limits>
#include <map>
#include <tuple>

#include "base/processors.hpp"
#include "papers/common/simulated.hpp"
#include "simulate/simulate.hpp"

namespace tutti::papers {
namespace {

constexpr std::array<const char*, 6> six_names{"linear",     "stable",     "pairwise_F",
                                               "standard_F", "pairwise_U", "standard_U"};
constexpr std::int64_t largest_short = 128;

// Machines are built once, because every dimension is asked for often.
const machine::Machine& cube(int dimension) {
  static std::map<int, machine::Machine> known;
  const auto [at, fresh] = known.try_emplace(dimension);
  if (fresh)
    at->second = machine::load_machine("ipsc860", {fmt::format("hypercube:{}", dimension)});
  return at->second;
}

double time_of_run(const tools::Scene& scene, std::uint64_t seed) {
  simulate::SimulationOptions options;
  options.links = false;
  options.top = 0;
  options.seed = seed;
  return simulate::simulate(scene.machine, scene.job, options).time;
}

// Several runs are simulated at once where there are processors for it. Short ones are not worth a
// thread.
Spread simulated_spread(const tools::Scene& scene, int runs, int dimension) {
  constexpr int least_dimension = 5;
  const bool at_once = dimension >= least_dimension && base::usable_cpus() > 1;
  std::vector<std::future<double>> times;
  for (int run = 0; run < runs; ++run)
    times.push_back(std::async(at_once ? std::launch::async : std::launch::deferred, time_of_run,
                               std::cref(scene), static_cast<std::uint64_t>(run) + 1));
  Spread found;
  found.least = std::numeric_limits<double>::infinity();
  for (std::future<double>& each : times) {
    const double time = each.get();
    found.least = std::min(found.least, time);
    found.most = std::max(found.most, time);
    found.mean += time / runs;
  }
  return found;
}

}  // namespace

std::span<const char* const> six() {
  return six_names;
}

int runs_of(int dimension) {
  constexpr int many = 10, few = 4;
  return dimension <= 5 ? many : few;
}

const Spread& spread_of(const std::string& name, int dimension, std::int64_t block,
                        tools::Sync sync) {
  static std::map<std::tuple<std::string, int, std::int64_t, tools::Sync>, Spread> known;
  const auto [at, fresh] = known.try_emplace({name, dimension, block, sync});
  if (fresh)
    at->second = simulated_spread(
        scene_of(tools::exchange_named(name), cube(dimension), 1 << dimension, block, sync),
        runs_of(dimension), dimension);
  return at->second;
}

const Spread& spread_of(const std::string& name, int dimension, std::int64_t block) {
  return spread_of(name, dimension, block, tools::exchange_named(name).implementation->sync);
}

double longest(const std::string& name, int dimension, std::int64_t block) {
  return spread_of(name, dimension, block).most;
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

machine::Machine undisturbed(machine::Machine machine) {
  machine.node.drift = machine.node.noise = 0;
  return machine;
}

void add_machine(Result& result) {
  add_parameters(result, cube(7));
  result.parameters.push_back({"runs for dimensions 1 to 5", static_cast<double>(runs_of(5)), "",
                               "the paper has 1000; seeds 1, 2, ..."});
  result.parameters.push_back({"runs for dimensions 6 and 7", static_cast<double>(runs_of(7)), "",
                               "the paper has 100; seeds 1, 2, ..."});
  result.notes.emplace_back(
      "The paper's points are not in its text: what it says about them is compared. It does not "
      "print the costs of synchronisation, of a shuffle and of what disturbs a run; the machine "
      "file has them fitted to what section 6 says about the dimensions 3, 5 and 7, and "
      "to its statement that standard_F is not the best for dimension 6.");
}

}  // namespace tutti::papers
