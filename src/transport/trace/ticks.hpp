// SPDX-License-Identifier: BSD-3-Clause
// The clock of traces: the processor's counter where it runs at a constant rate, which takes a
// fraction of the time of a clock of the system, and elsewhere nanoseconds of that clock.
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace tutti::trace {

inline std::int64_t nanoseconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Returns true if the processor has a counter that neither sleep nor frequency changes.
inline bool has_constant_counter() {
#if defined(__x86_64__)
  constexpr unsigned leaf = 0x80000007, invariant = 1U << 8;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(leaf, &a, &b, &c, &d) != 0 && (d & invariant) != 0;
#else
  return false;
#endif
}

// `counter` is what has_constant_counter() has returned.
inline std::uint64_t ticks(bool counter) {
#if defined(__x86_64__)
  if (counter) [[likely]]
    return __rdtsc();
#else
  static_cast<void>(counter);
#endif
  return static_cast<std::uint64_t>(nanoseconds(CLOCK_MONOTONIC));
}

}  // namespace tutti::trace
