// SPDX-License-Identifier: BSD-3-Clause
// One algorithm through the verifier for many shapes, and what holds for all of them, for some or
// for none.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "schedule/verifier.hpp"
#include "selection/settings.hpp"

namespace tutti::tools {

// Which shapes. Settings that are not given run through some values, factors through all
// factorisations of p.
struct Range {
  std::vector<int> ranks;
  bool all_roots = false;  // else the first, the middle and the last
  int root = -1;           // only this one, where p is larger
  selection::Settings settings{};
  bool only_these = false;  // also those settings that are the defaults
};

class Tally {
 public:
  void add(bool holds) { (holds ? yes_ : no_) = true; }
  // "always", "sometimes", "never", or "-" where nothing was added.
  [[nodiscard]] const char* text() const;

 private:
  bool yes_ = false;
  bool no_ = false;
};

struct SweepResult {
  const schedule::Generator* generator = nullptr;
  int shapes = 0;
  std::string problem;  // of the first shape that is wrong, with that shape
  Tally same_tree, canonical, rank_order, one_port;  // the first three for reductions only
  bool in_place = false;                             // verified in place as well
  std::string largest;                               // the last shape; its counts and blocks follow
  schedule::Counts counts;
  int p = 0, parts = 1;
  [[nodiscard]] bool correct() const { return problem.empty(); }
};

struct SweepWatch {
  std::function<void(int p)> progress;                      // called before each p
  std::function<void(const schedule::Shape& shape)> shape;  // and with each shape that is right
};

// Stops at the first problem.
[[nodiscard]] SweepResult sweep(const schedule::Generator& generator, const Range& range,
                                const SweepWatch& watch);

}  // namespace tutti::tools
