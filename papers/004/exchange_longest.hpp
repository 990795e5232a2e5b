// SPDX-License-Identifier: BSD-3-Clause
// Paper 004: the times of its six implementations on the simulated iPSC/860. The paper plots
// the longest time of many runs, and so do we.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "papers/common/result.hpp"
#include "simulation/implementations.hpp"

namespace tutti::papers {

// The shortest, mean and longest time of several runs, in microseconds.
struct Spread {
  double least = 0, mean = 0, most = 0;
};

// The names of the paper's six implementations.
[[nodiscard]] std::span<const char* const> six();

// Returns the number of runs for a dimension. The paper has 1000 up to dimension 5, and then 100.
[[nodiscard]] int runs_of(int dimension);

// Simulates an implementation on a hypercube of the file's machine, with its noise and the seeds 1,
// 2, and so on. A spread that has been asked for before is not simulated again.
[[nodiscard]] const Spread& spread_of(const std::string& name, int dimension, std::int64_t block);
[[nodiscard]] const Spread& spread_of(const std::string& name, int dimension, std::int64_t block,
                                      tools::Sync sync);
[[nodiscard]] double longest(const std::string& name, int dimension, std::int64_t block);

// Returns true if the paper plots this size. It has standard_F and those of unforced messages up to
// 128 bytes only.
[[nodiscard]] bool competes(const std::string& name, std::int64_t block);

// Returns the implementation whose longest time is the shortest, of those that the paper plots, and
// those that lie within the error of the model beside it.
[[nodiscard]] std::vector<std::string> leaders(int dimension, std::int64_t block);

// The error of the model in comparisons of two times: how far its unforced messages lie from the
// paper's law for them.
[[nodiscard]] Tolerance error_of_model();

// Returns the machine without noise and drift, as the laws of section 2 describe it.
[[nodiscard]] machine::Machine undisturbed(machine::Machine machine);

// Adds the numbers of the machine, of the runs, and a note on what is fitted.
void add_machine(Result& result);

}  // namespace tutti::papers
