// SPDX-License-Identifier: BSD-3-Clause
// Shared by all parts of the driver: options, the seeded choice of cases, the tally, and the grid
// it runs on.
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

// Chooses the same cases in every process: a hash of seed and case number against the fraction.
class Sampler {
 public:
  Sampler(std::uint64_t seed, double fraction) : seed_(seed), fraction_(fraction) {}
  [[nodiscard]] bool next();
  // Bits of the current case that have nothing to do with its being chosen.
  [[nodiscard]] std::uint64_t bits() const { return bits_; }

 private:
  std::uint64_t seed_;
  double fraction_;
  std::uint64_t number_ = 0, bits_ = 0;
};

struct Tally {
  long passed = 0, failed = 0;
  // Prints the first failures of this process.
  void check(bool good, const std::string& what);
};

struct Grid {
  int context = -1;
  int rows = 0, columns = 0, row = 0, column = 0;
  [[nodiscard]] int size() const { return rows * columns; }
  [[nodiscard]] int rank() const { return row * columns + column; }
  [[nodiscard]] bool inside() const { return context >= 0; }
};

// The first rows*columns processes of the job; outside, context is -1.
[[nodiscard]] Grid make_grid(Shape shape, char order = 'R');

void transfer_cases(const Grid& grid, Sampler& sampler, Tally& tally);
void broadcast_cases(const Grid& grid, Sampler& sampler, Tally& tally);
void combine_cases(const Grid& grid, Sampler& sampler, Tally& tally);
void special_cases(int me, int processes, double fraction, Tally& tally);

}  // namespace conformance
