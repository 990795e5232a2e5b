// SPDX-License-Identifier: BSD-3-Clause
// The distances in the circulant graph, for circulant.cpp and circulant_pipelined.cpp. There are
// ceil(log2 p) distances, each of which is half of the next one, rounded up.
#pragma once

#include "schedule/program.hpp"

namespace tutti::algorithms {

// Returns distance k of the graph: skip(p, 0) = 1 and skip(p, ceil_log2(p)) = p.
inline schedule::Int skip(schedule::Int p, schedule::Int k) {
  const schedule::Int halvings = schedule::ceil_log2(p) - k;
  return (p - 1 + (1 << halvings)) >> halvings;  // in this order no sum exceeds 2^31 - 1
}

constexpr const char* distances_lemma = "the distances of the circulant graph";

// Says what the proofs use of distance k and the next one. It says nothing if there are none.
inline schedule::Truth nearly_doubles(schedule::Int p, schedule::Int k) {
  const schedule::Int one = skip(p, k), next = skip(p, k + 1);
  return schedule::implies(
      schedule::all({2 <= p, p <= schedule::largest_p, 0 <= k, k < schedule::ceil_log2(p)}),
      schedule::all({schedule::implies(k == 0, one == 1), 1 <= one, one < next, 2 * one - 1 <= next,
                     next <= 2 * one, next <= p}));
}

}  // namespace tutti::algorithms
