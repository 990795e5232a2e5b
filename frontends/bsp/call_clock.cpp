// SPDX-License-Identifier: BSD-3-Clause
// Calibrates the clock, and estimates the time of all calls from those timed (call_clock.hpp).
#include "call_clock.hpp"

#include <algorithm>
#include <chrono>

namespace tutti::bsp {
namespace {

constexpr int series = 50;

}  // namespace

std::uint64_t CallClock::ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

CallClock::CallClock() {
  calibrate_timed();
  calibrate_counted();
  clear();
}

// Each calibration takes the least of several series. A series that was interrupted would make
// calls look expensive and computation free.
void CallClock::calibrate_timed() {
  for (int k = 0; k < series; ++k) {
    clear();
    const std::uint64_t begun = ticks();
    for (std::uint64_t i = 0; i < first_timed; ++i) {
      if (takes_next()) add(ticks());
    }
    const auto all = static_cast<double>(ticks() - begun) / first_timed;
    const double seen = static_cast<double>(first_ticks_) / first_timed;
    if (k == 0 || all < empty_ + around_) {
      empty_ = seen;
      around_ = all - seen;
    }
  }
}

void CallClock::calibrate_counted() {
  constexpr int calls = 500;
  for (int k = 0; k < series; ++k) {
    clear();
    calls_ = first_timed;
    until_next_ = calls + 1;
    const std::uint64_t begun = ticks();
    for (int i = 0; i < calls; ++i) {
      if (takes_next()) return;
      asm volatile("" ::: "memory");  // the counters go to memory each time, as at a real call
    }
    const double each = static_cast<double>(ticks() - begun) / calls;
    passing_ = k == 0 ? each : std::min(passing_, each);
  }
}

void CallClock::add(std::uint64_t begun) {
  const std::uint64_t took = ticks() - begun;
  (calls_ <= first_timed ? first_ticks_ : later_ticks_) += took;
  ++(calls_ <= first_timed ? first_ : later_);
}

double CallClock::spent() const {
  const double looking = static_cast<double>(first_ + later_) * (empty_ + around_);
  double calls = static_cast<double>(first_ticks_) - static_cast<double>(first_) * empty_;
  if (later_ > 0) {
    const double each = static_cast<double>(later_ticks_) / static_cast<double>(later_) - empty_;
    calls += static_cast<double>(calls_ - first_timed) * (each + passing_);
  }
  return looking + calls;
}

void CallClock::clear() {
  calls_ = first_ticks_ = first_ = later_ticks_ = later_ = 0;
  until_next_ = 1;
}

// Returns 1 to 31 calls, 16 on average. A fixed step could coincide with a pattern in a program's
// calls.
int CallClock::gap() {
  constexpr std::uint64_t factor = 6364136223846793005U,
                          increment = 1442695040888963407U;  // Knuth's constants for 64 bits
  chance_ = chance_ * factor + increment;
  return 1 + static_cast<int>((chance_ >> 33U) % 31);
}

}  // namespace tutti::bsp
