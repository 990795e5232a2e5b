// SPDX-License-Identifier: BSD-3-Clause
// Paper 004: the times of its six implementations on the simulated iPSC/860. The paper plots
// the longest time of many runs, and so do we.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "papers/004/exchange_seeds.hpp"
#include "papers/common/result.hpp"

namespace tutti::papers {

// The shortest and the longest time of the paper's number of runs, in microseconds.
struct Spread {
  double least = 0, most = 0;
};

// The names of the paper's six implementations.
[[nodiscard]] std::span<const char* const> six();

// Simulates the runs with the shortest and with the longest time, with the machine's noise.
[[nodiscard]] Spread spread_of(const ExchangeCell& cell);
// From now on, the seeds are searched and not those that are kept.
void search_all_seeds();
// The seeds of all spreads that were asked for.
[[nodiscard]] const SeedsOfCells& seeds_in_use();
// The longest time alone. One that has been asked for before is not simulated again.
[[nodiscard]] double longest(const std::string& name, int dimension, std::int64_t block);
// An implementation as it synchronises in the paper.
[[nodiscard]] ExchangeCell cell_of(const std::string& name, int dimension, std::int64_t block);

// The mean time of the first runs, of which there are as many as the captions of figures 10 and 12
// have observations of large cubes.
inline constexpr int runs_of_means = 100;
[[nodiscard]] double mean_time(const ExchangeCell& cell);

// Returns true if the paper plots this size. It has standard_F and those of unforced messages up to
// 128 bytes only.
[[nodiscard]] bool competes(const std::string& name, std::int64_t block);

// Returns the implementation whose longest time is the shortest, of those that the paper plots, and
// those that lie within the error of the model beside it.
[[nodiscard]] std::vector<std::string> leaders(int dimension, std::int64_t block);

// The error of the model in comparisons of two times: how far its unforced messages lie from the
// paper's law for them.
[[nodiscard]] Tolerance error_of_model();

// The tolerance of "about twice".
[[nodiscard]] Tolerance about_twice();

// Returns the machine without noise and drift, as the laws of section 2 describe it.
[[nodiscard]] machine::Machine undisturbed(machine::Machine machine);

// Adds the numbers of the machine, of the runs, and a note on what is fitted.
void add_machine(Result& result);

}  // namespace tutti::papers
