// SPDX-License-Identifier: BSD-3-Clause
// Runs the driver of command/driver in jobs of tutti and, in turn with them, of an MPI, and
// collects the samples that the driver prints. `tutti bench` and `tutti tune` use it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/request.hpp"
#include "launch/descriptor.hpp"
#include "selection/settings.hpp"

namespace tutti::tools {

struct Sample {
  double us = 0;  // time of one call
  // Time of a cache line from rank 0 to rank 1, measured just before the call.
  double line_us = 0;
  // Placement of ranks 0 and 1: sibling, near, mid, far or mixed; alone if there is one rank.
  std::string placement;
};

// One time for each of the plans that a cell names; the plans ran one right after the other.
struct Turn {
  std::vector<double> us;
  std::string placement;  // like Sample::placement
};

// The results of one library in one cell.
struct Series {
  bool verified = false;
  std::string algorithm;  // without settings; empty if the library does not tell
  selection::Settings settings;
  std::vector<Sample> samples;
  std::vector<Turn> turns;  // used instead of samples if the cell names plans
};

using Library = std::map<BenchCell, Series>;

struct BenchPlan {
  std::vector<BenchCell> cells;
  // Plans that a cell runs in turn; only tutti's own jobs use them.
  std::map<BenchCell, std::vector<std::string>> plans;
  int ranks = 2;
  static constexpr int each_in_turn = -1;
  int root = each_in_turn;  // root of every rooted call
  // No sample begins later than this, except the first `rounds` samples of each cell.
  double seconds = 10;
  int rounds = 1;  // samples that each cell gets in any case
  double sample_us = 2000;
  // The program of tutti's own jobs; empty if it is the command's worker.
  std::vector<std::string> program;
  std::vector<std::pair<std::string, std::string>> environment;  // of tutti's own jobs, in addition
  std::string forced;   // TUTTI_ALGORITHM of tutti's own jobs
  std::string against;  // openmpi, mpich or empty
};

// Returns the results by library name; tutti's own name is "tutti". `progress` gets the part that
// is done, 0 to 1, and a text that says what is running. Throws base::Error if a driver fails or a
// result is wrong.
[[nodiscard]] std::map<std::string, Library> run_bench(
    const BenchPlan& plan, const std::function<void(double, const std::string&)>& progress);

// Returns the path of the driver that was built for an MPI. Throws base::Error(invalid_argument)
// that says what to install.
[[nodiscard]] std::string driver_of(const std::string& mpi);

}  // namespace tutti::tools
