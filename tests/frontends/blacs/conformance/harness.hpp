// SPDX-License-Identifier: BSD-3-Clause
// Gives all parts of the driver their options, the seeded choice of cases, the tally of results,
// and the grid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace conformance {

struct Shape {
  int rows, columns;
};

struct Options {
  std::vector<Shape> grids{{1, 1}, {1, 2}, {2, 2}};
  std::uint64_t seed = 1;
  double fraction = 1.0;
  std::string parts = "transfer,broadcast,combine,special";
};

[[nodiscard]] Options parse(int argc, char** argv);

// Chooses the same cases in every process: it compares a hash of seed and case number with the
// fraction.
class Sampler {
 public:
  Sampler(std::uint64_t seed, double fraction) : seed_(seed), fraction_(fraction) {}
  [[nodiscard]] bool next();
  // Returns bits of the current case that do not depend on its being chosen.
  [[nodiscard]] std::uint64_t bits() const { return bits_; }

 private:
  std::uint64_t seed_;
  double fraction_;
  std::uint64_t number_ = 0, bits_ = 0;
};

struct Tally {
  long passed = 0, failed = 0;
  // Counts a check and prints the first failures of this process.
  void check(bool good, const std::string& what);
};

struct Grid {
  int context = -1;
  int rows = 0, columns = 0, row = 0, column = 0;
  [[nodiscard]] int size() const { return rows * columns; }
  [[nodiscard]] int rank() const { return row * columns + column; }
  [[nodiscard]] bool inside() const { return context >= 0; }
};

// Tells the number of this process and how many there are. A program started by hand is one
// process.
struct Machine {
  int me = 0, processes = 0;
};
[[nodiscard]] Machine begin();
// Makes a grid of the first rows*columns processes of the job. In other processes the context is
// -1.
[[nodiscard]] Grid make_grid(Shape shape, char order = 'R');
void end_grid(const Grid& grid);
// Ends the use of the BLACS.
void finish();

void transfer_cases(const Grid& grid, Sampler& sampler, Tally& tally);
void broadcast_cases(const Grid& grid, Sampler& sampler, Tally& tally);
void combine_cases(const Grid& grid, Sampler& sampler, Tally& tally);
void special_cases(int me, int processes, double fraction, Tally& tally);

}  // namespace conformance
