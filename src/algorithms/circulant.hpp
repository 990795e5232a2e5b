// SPDX-License-Identifier: BSD-3-Clause
// The distances in the circulant graph, for circulant.cpp and circulant_pipelined.cpp. There are
// ceil(log2 p) distances, each of which is half of the next one, rounded up.
#pragma once

#include "schedule/program.hpp"

namespace tutti::algorithms {

// Returns distance k of the graph: skip(p, 0) = 1 and skip(p, ceil_log2(p)) = p.
inline int skip(int p, int k) {
  const int halvings = schedule::ceil_log2(p) - k;
  return (p + (1 << halvings) - 1) >> halvings;
}

}  // namespace tutti::algorithms
