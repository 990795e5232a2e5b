// SPDX-License-Identifier: BSD-3-Clause
// Runs of the driver of bench/driver: jobs of tutti, and of an MPI in turn with them, and the
// samples they print.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/request.hpp"
#include "launch/descriptor.hpp"
#include "selection/settings.hpp"

namespace tutti::tools {

struct Sample {
  double us = 0;          // one call
  double line_us = 0;     // a cache line from rank 0 to rank 1, just before
  std::string placement;  // of ranks 0 and 1: sibling, near, mid, far, mixed; alone for one rank
};

// One time for each of the plans that a cell names, taken one right after the other.
struct Turn {
  std::vector<double> us;
  std::string placement;  // as of a Sample
};

// How one library did one cell.
struct Series {
  bool verified = false;
  std::string algorithm;  // empty if the library does not tell; without settings
  selection::Settings settings;
  std::vector<Sample> samples;
  std::vector<Turn> turns;  // instead of samples where the cell names plans
};

using Library = std::map<BenchCell, Series>;

struct BenchPlan {
  std::vector<BenchCell> cells;
  std::map<BenchCell, std::vector<std::string>>
      plans;  // of cells that are done by plans in turn; ours only
  int ranks = 2;
  static constexpr int each_in_turn = -1;
  int root = each_in_turn;  // of every call that has one
  double seconds = 10;      // no sample is begun later, apart from the first ones of each cell:
  int rounds = 1;           // so many
  double sample_us = 2000;
  std::string forced;   // TUTTI_ALGORITHM of our jobs
  std::string against;  // openmpi, mpich or nothing
};

// Libraries by name, ours is "tutti". `progress` gets the part that is done, 0 to 1, and what is
// being done. Throws base::Error if a driver fails or a result is wrong.
[[nodiscard]] std::map<std::string, Library> run_bench(
    const BenchPlan& plan, const std::function<void(double, const std::string&)>& progress);

// The driver that was built for an MPI. Throws base::Error(invalid_argument) that says what to
// install.
[[nodiscard]] std::string driver_of(const std::string& mpi);

}  // namespace tutti::tools
