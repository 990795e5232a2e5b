// SPDX-License-Identifier: BSD-3-Clause
// Random numbers for drift and noise. Each is a function of the seed, the node and how many numbers
// that node has drawn, so it does not depend on the order of events.
#pragma once

#include <cstdint>

namespace tutti::simulate {

// Returns a number in [0, 1), by the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
[[nodiscard]] constexpr double uniform(std::uint64_t seed, std::uint64_t node, std::uint64_t draw) {
  std::uint64_t x = seed;
  for (const std::uint64_t word : {node, draw}) {
    x += 0x9e3779b97f4a7c15U * (word + 1);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    x ^= x >> 31;
  }
  return static_cast<double>(x >> 11) * 0x1p-53;
}

}  // namespace tutti::simulate
