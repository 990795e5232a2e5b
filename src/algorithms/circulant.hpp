// SPDX-License-Identifier: BSD-3-Clause
// The circulant graph: ceil(log2 p) distances, each half of the next one, rounded up.
#pragma once

#include "schedule/program.hpp"

namespace tutti::algorithms {

// skip(p, 0) = 1, skip(p, ceil_log2(p)) = p.
inline int skip(int p, int k) {
  const int halvings = schedule::ceil_log2(p) - k;
  return (p + (1 << halvings) - 1) >> halvings;
}

}  // namespace tutti::algorithms
