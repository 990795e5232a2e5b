// SPDX-License-Identifier: BSD-3-Clause
// Reads and searches the seeds of runs (exchange_seeds.hpp).
#include "papers/004/exchange_seeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <future>

#include "base/processors.hpp"
#include "bsp_model/thesis.hpp"
#include "papers/common/simulated.hpp"
#include "simulate/simulate.hpp"

namespace tutti::papers {
namespace {

constexpr const char* seeds_text =
#include "exchange_seeds.inc"
    ;

constexpr int largest_dimension = 9;

// Machines are built once, because every dimension is asked for often.
const machine::Machine& cube(int dimension) {
  static const std::vector<machine::Machine> all = [] {
    std::vector<machine::Machine> cubes;
    for (int d = 0; d <= largest_dimension; ++d)
      cubes.push_back(machine_on("ipsc860", fmt::format("hypercube:{}", d), part_of_the_cube));
    return cubes;
  }();
  return all.at(static_cast<std::size_t>(dimension));
}

tools::Scene scene_of_cell(const ExchangeCell& cell) {
  return scene_of(tools::exchange_named(cell.name), cube(cell.dimension), 1 << cell.dimension,
                  cell.block, cell.sync);
}

double time_of_scene(const tools::Scene& scene, std::uint64_t seed) {
  simulate::SimulationOptions options;
  options.links = false;
  options.top = 0;
  options.seed = seed;
  return simulate::simulate(scene.machine, scene.job, options).time;
}

SeedsOfCells seeds_of_text() {
  SeedsOfCells seeds;
  for (const std::string& line : tools::fields_of(seeds_text, '\n')) {
    const std::vector<std::string> fields = tools::fields_of(line, ',');
    if (line.empty() || line[0] == '#' || fields.size() != 6) continue;
    seeds[{fields[0], std::stoi(fields[1]), std::stoll(fields[2]), tools::sync_named(fields[3])}] =
        {std::stoull(fields[4]), std::stoull(fields[5])};
  }
  return seeds;
}

}  // namespace

const SeedsOfCells& kept_seeds() {
  static const SeedsOfCells seeds = seeds_of_text();
  return seeds;
}

int runs_of(int dimension) {
  constexpr int many = 1000, few = 100;
  return dimension <= 5 ? many : few;
}

double time_of_run(const ExchangeCell& cell, std::uint64_t seed) {
  return time_of_scene(scene_of_cell(cell), seed);
}

std::vector<double> times_of_runs(const ExchangeCell& cell, int runs) {
  const tools::Scene scene = scene_of_cell(cell);
  std::vector<double> times(static_cast<std::size_t>(runs));
  on_all_processors(times.size(), [&](std::size_t i) { times[i] = time_of_scene(scene, i + 1); });
  return times;
}

ExchangeSeeds searched_seeds(const ExchangeCell& cell) {
  const std::vector<double> times = times_of_runs(cell, runs_of(cell.dimension));
  const auto seed = [&](auto found) {
    return static_cast<std::uint64_t>(found - times.begin()) + 1;
  };
  return {seed(std::ranges::min_element(times)), seed(std::ranges::max_element(times))};
}

void on_all_processors(std::size_t count, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) body(i);
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(base::usable_cpus(), count); ++i)
    others.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& other : others) other.get();
}

}  // namespace tutti::papers
