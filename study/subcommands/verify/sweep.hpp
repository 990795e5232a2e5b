// SPDX-License-Identifier: BSD-3-Clause
// Verifies one algorithm for many shapes and tells what holds for all of them, for some or for
// none.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/verifier.hpp"
#include "selection/settings.hpp"

namespace tutti::tools {

// The shapes to verify. Settings that are not given take several values; factors take all
// factorisations of p.
struct Range {
  std::vector<int> ranks;
  bool all_roots = false;  // if false, only the first, the middle and the last root
  int root = -1;           // if set, the only root, for every p above it
  selection::Settings settings{};
  bool only_these = false;  // if true, settings equal to their defaults do not vary either
};

class Tally {
 public:
  void add(bool holds) { (holds ? yes_ : no_) = true; }
  // Returns "always", "sometimes", "never", or "-" if nothing was added.
  [[nodiscard]] const char* text() const;

 private:
  bool yes_ = false;
  bool no_ = false;
};

// The first shape that is wrong, and what is wrong with it. The round is counted from 1; 0 and -1
// mean that the problem belongs to no round or no rank.
struct CounterExample {
  std::string name;  // of the algorithm, with its settings
  int p = 0;
  int root = 0;
  schedule::Placement placement = schedule::Placement::separate;
  int round = 0;
  int rank = -1;
  std::string problem;
};

struct SweepResult {
  const schedule::Generator* generator = nullptr;
  int shapes = 0;
  std::vector<int> ranks;  // the numbers of ranks of these shapes
  std::string problem;  // problem of the first wrong shape, with the shape; empty if all are right
  std::optional<CounterExample> wrong;  // the same; nothing if a schedule could not be made
  Tally same_tree, canonical, rank_order, one_port;  // the first three are for reductions only
  bool in_place = false;                             // true if verified in place as well
  // The last shape, whose counts and blocks follow.
  std::string largest;
  schedule::Counts counts;
  int p = 0, parts = 1;
  [[nodiscard]] bool correct() const { return problem.empty(); }
};

struct SweepWatch {
  std::function<void(int p)> progress;                      // called before each p
  std::function<void(const schedule::Shape& shape)> shape;  // called with each shape that is right
};

// Verifies the shapes and stops at the first problem.
[[nodiscard]] SweepResult sweep(const schedule::Generator& generator, const Range& range,
                                const SweepWatch& watch);

}  // namespace tutti::tools
