// SPDX-License-Identifier: BSD-3-Clause
// Lists the shapes on which a generator is tried. They follow from its `Generator::parameter`; no
// name of an algorithm is used here.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti {

constexpr int largest_parameter = 9;  // of branches and rings

// Shapes without a root, and the lists of factors that they refer to.
struct Shapes {
  std::deque<std::vector<int>> lists;
  std::vector<schedule::Shape> all;
};

// Returns every shape for p that the generator applies to. These have 1 to 9 branches or rings,
// some numbers of segments, all ordered factorisations of p with all cuts, some lists that only
// cover p, and some lists of sizes. From p = 17 on, factors with cuts are a sample.
Shapes shapes_of(const schedule::Generator& generator, int p);

// Returns all ordered factorisations of p into factors of at least 2; one empty list for p = 1.
std::vector<std::vector<int>> ordered_factorisations(int p);

// Returns the roots to try: all, if the schedule depends on the root. Otherwise only the time at
// which the root has finished differs, and some roots suffice. Some also suffice for large shapes
// that have many similar ones.
std::vector<int> roots_of(const schedule::Generator& generator, const schedule::Shape& shape);

std::string full_name(const schedule::Generator& generator);
// Returns the name as one word, for the names of tests.
std::string identifier(const schedule::Generator& generator);
std::string describe(const schedule::Generator& generator, const schedule::Shape& shape);

}  // namespace tutti
