// SPDX-License-Identifier: BSD-3-Clause
// Shape::factors as sizes of hosts, for coordinators.cpp and two_level.cpp. The first factors[0]
// ranks are on one host, the next factors[1] on another, and so on. The lowest rank of a host is
// its coordinator.
#pragma once

#include <cstdint>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

struct Host {
  int coordinator = 0;
  int size = 0;
};

inline Host host_of(const schedule::Shape& s, int rank) {
  int first = 0;
  for (const int size : s.factors) {
    if (rank < first + size) return {first, size};
    first += size;
  }
  return {first, 0};
}

inline bool sizes_make_p(const schedule::Shape& s) {
  std::int64_t sum = 0;
  for (const int size : s.factors) {
    if (size < 1) return false;
    sum += size;
  }
  return sum == s.p;
}

}  // namespace tutti::algorithms
