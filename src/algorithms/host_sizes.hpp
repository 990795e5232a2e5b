// SPDX-License-Identifier: BSD-3-Clause
// Shape::factors as sizes of hosts, for coordinators.cpp, two_level.cpp and two_level_long.cpp. The
// first factors[0] ranks are on one host, the next factors[1] on another, and so on. The lowest
// rank of a host is its coordinator.
#pragma once

#include <cstdint>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

struct Host {
  int coordinator = 0;
  int size = 0;
  int number = 0;  // hosts count from 0 in the order of their ranks
};

inline Host host_of(const schedule::Shape& s, int rank) {
  int first = 0, number = 0;
  for (const int size : s.factors) {
    if (rank < first + size) return {first, size, number};
    first += size;
    ++number;
  }
  return {first, 0, number};
}

inline int hosts_of(const schedule::Shape& s) {
  return static_cast<int>(s.factors.size());
}
// Returns true if any host has a rank beside its coordinator.
inline bool has_members(const schedule::Shape& s) {
  return s.p > hosts_of(s);
}

inline int size_of(const schedule::Shape& s, int number) {
  return s.factors[static_cast<std::size_t>(number)];
}
// Return the next host and the one before, in a circle. If every host sends to the next one, then
// to the one after it, and so on, no two hosts send to the same one at the same time.
inline Host next_host(const schedule::Shape& s, const Host& host) {
  const int number = host.number + 1;
  if (number == hosts_of(s)) return {0, size_of(s, 0), 0};
  return {host.coordinator + host.size, size_of(s, number), number};
}
inline Host host_before(const schedule::Shape& s, const Host& host) {
  const int number = (host.number == 0 ? hosts_of(s) : host.number) - 1, size = size_of(s, number);
  return {(host.number == 0 ? s.p : host.coordinator) - size, size, number};
}

// Emits the last round of an algorithm: each coordinator sends its blocks to the other ranks of its
// host, all of which have the same ones then.
inline void spread(schedule::Round& out, const Host& host, schedule::Rank me,
                   const schedule::Blocks& blocks) {
  if (num(me) != host.coordinator) return out.receive(blocks, schedule::Rank{host.coordinator});
  if (host.size > 1) out.send(blocks, schedule::Ranks{host.coordinator + 1, host.size - 1});
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
