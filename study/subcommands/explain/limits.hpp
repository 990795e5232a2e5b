// SPDX-License-Identifier: BSD-3-Clause
// Limits beside which the times of plans stand: bounds, and the times of bare work.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "selection/explain.hpp"

namespace tutti::tools {

struct Limit {
  std::string name;
  std::function<double(double bytes)> time;  // us
};

// On one host there is one limit: a copy of the vector by one rank. Elsewhere there is one message
// of the vector and, on one network, the bound for plans in which a rank sends to one rank in a
// round.
[[nodiscard]] std::vector<Limit> limits_of(const selection::Explanation& explanation);

// Returns the least terms of a plan over p ranks that sends one message of a rank at a time:
// rounds, and vectors that the busiest rank moves and combines.
[[nodiscard]] selection::Terms least_terms(schedule::Operation operation, int p);

}  // namespace tutti::tools
