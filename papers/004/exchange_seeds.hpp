// SPDX-License-Identifier: BSD-3-Clause
// Paper 004 plots the longest of 1000 or 100 runs. All of them take minutes to simulate, so the
// seeds of the shortest and of the longest run were searched once, and are kept in
// papers/data/exchange_seeds.csv. Times are not kept: the two runs are simulated when they are
// asked for.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "simulation/implementations.hpp"

namespace tutti::papers {

// An implementation with a size of blocks on a hypercube of the file's machine.
struct ExchangeCell {
  std::string name;
  int dimension = 0;
  std::int64_t block = 0;
  tools::Sync sync = tools::Sync::none;
  friend auto operator<=>(const ExchangeCell&, const ExchangeCell&) = default;
};

struct ExchangeSeeds {
  std::uint64_t shortest = 1, longest = 1;
  friend bool operator==(const ExchangeSeeds&, const ExchangeSeeds&) = default;
};
using SeedsOfCells = std::map<ExchangeCell, ExchangeSeeds>;

// The seeds of the file.
[[nodiscard]] const SeedsOfCells& kept_seeds();
// The number of runs for a dimension, as in the paper: 1000 up to dimension 5, and then 100. Their
// seeds are 1, 2, and so on.
[[nodiscard]] int runs_of(int dimension);
// Simulates one run. Returns its time in microseconds.
[[nodiscard]] double time_of_run(const ExchangeCell& cell, std::uint64_t seed);
// Simulates the first so many runs of the cell, several at once.
[[nodiscard]] std::vector<double> times_of_runs(const ExchangeCell& cell, int runs);
// Simulates all runs of the cell.
[[nodiscard]] ExchangeSeeds searched_seeds(const ExchangeCell& cell);

// Calls `body` with 0, 1, ..., count - 1, on all processors that may be used.
void on_all_processors(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace tutti::papers
