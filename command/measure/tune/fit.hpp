// SPDX-License-Identifier: BSD-3-Clause
// Fits alpha, beta and gamma to times. It minimises the sum of squared relative errors, so that
// short messages count as much as long ones.
#pragma once

#include <span>

#include "selection/strategies.hpp"

namespace tutti::tools {

// A measured time. The model's time is alpha * terms.alpha + bytes * (beta * terms.beta + gamma *
// terms.gamma).
struct Observation {
  selection::Terms terms;
  double bytes = 0;
  double us = 0;
};

struct Fit {
  // No rate is negative. One that would be negative is 0, and the others are fitted without it.
  selection::Rates rates;
  int points = 0;
  double rms = 0;    // root mean square of the relative errors (model - time) / time
  double worst = 0;  // largest relative error, without sign
};
[[nodiscard]] Fit fit(std::span<const Observation> observations);

}  // namespace tutti::tools
