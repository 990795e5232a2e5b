// SPDX-License-Identifier: BSD-3-Clause
// The supersteps of a program that has not run. The computations of the ranks are measured, in the
// order of a run but without its exchanges. The words of an exchange follow from the sizes.
#pragma once

#include <vector>

#include "costs.hpp"
#include "programs.hpp"

namespace exchange {

// A superstep computes and then exchanges; the last one only computes. Each computation is measured
// `runs` times. All ranks call it.
std::vector<profile::Superstep> supersteps_of(Program& program, int runs);

}  // namespace exchange
