// SPDX-License-Identifier: BSD-3-Clause
// The shapes on which a generator is tried, found from what it says of itself
// (`Generator::parameter`): nothing here knows the name of an algorithm.
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

// Every shape for p that the generator applies to: branches and rings 1..9, some numbers of
// segments, all ordered factorisations of p and some lists that only cover it, those with all cuts;
// some lists of sizes. Factors with cuts are a sample from p = 17 on.
Shapes shapes_of(const schedule::Generator& generator, int p);

// All ordered factorisations of p into factors of at least 2; one empty list for p = 1.
std::vector<std::vector<int>> ordered_factorisations(int p);

// The roots to try. All, if the schedule depends on the root; some, if it does not (then only the
// time at which the root has finished differs) or if the shape is large and has many like it.
std::vector<int> roots_of(const schedule::Generator& generator, const schedule::Shape& shape);

std::string full_name(const schedule::Generator& generator);
// Returns the name as one word, for the names of tests.
std::string identifier(const schedule::Generator& generator);
std::string describe(const schedule::Generator& generator, const schedule::Shape& shape);

}  // namespace tutti
