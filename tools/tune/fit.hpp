// SPDX-License-Identifier: BSD-3-Clause
// alpha, beta and gamma from times: the least sum of squared relative errors, so that short
// messages count as much as long ones.
#pragma once

#include <span>

#include "selection/strategies.hpp"

namespace tutti::tools {

// A time that the model says is alpha * terms.alpha + bytes * (beta * terms.beta + gamma *
// terms.gamma).
struct Observation {
  selection::Terms terms;
  double bytes = 0;
  double us = 0;
};

struct Fit {
  selection::Rates
      rates;  // none is negative: what would be is 0, and the others are fitted without it
  int points = 0;
  double rms = 0;    // of the relative errors (model - time) / time
  double worst = 0;  // the largest of them, without sign
};
[[nodiscard]] Fit fit(std::span<const Observation> observations);

}  // namespace tutti::tools
