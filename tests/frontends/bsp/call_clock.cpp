// SPDX-License-Identifier: BSD-3-Clause
// Tests the clock of calls: which calls it times, and that calls that it does not time count like
// the others.
#include "call_clock.hpp"

#include <algorithm>
#include <cstdio>

namespace {

int failures = 0;

void expect(bool right, const char* what, double value) {
  if (right) return;
  ++failures;
  std::printf("failed: %s: %g\n", what, value);
}

// After the first 32 calls, gaps of 1 to 31 calls occur, 16 on average.
void takes_some() {
  constexpr int first = 32, later = 32000;
  tutti::bsp::CallClock clock;
  int taken = 0, longest = 0, gap = 0;
  for (int i = 0; i < first; ++i) taken += clock.takes_next() ? 1 : 0;
  expect(taken == first, "of the first 32 calls are taken", taken);
  taken = 0;
  for (int i = 0; i < later; ++i) {
    ++gap;
    if (!clock.takes_next()) continue;
    longest = std::max(longest, gap);
    gap = 0;
    ++taken;
  }
  expect(taken > later / 18 && taken < later / 14, "of 32000 later calls are taken", taken);
  expect(longest == 31, "calls between two that are taken", longest);
}

// The calls seem to have begun 1000 ticks ago.
void counts_all() {
  constexpr double each = 1000;
  for (const int calls : {0, 1, 31, 32, 33, 10000}) {
    tutti::bsp::CallClock clock;
    for (int i = 0; i < calls; ++i) {
      if (clock.takes_next())
        clock.add(tutti::bsp::CallClock::ticks() - static_cast<std::uint64_t>(each));
    }
    const double spent = clock.spent();
    expect(spent >= 0.95 * each * calls && spent <= 1.5 * each * calls,
           "ticks per 1000 of all calls", spent);
    clock.clear();
    expect(clock.spent() == 0, "ticks after clear()", clock.spent());
  }
}

}  // namespace

int main() {
  takes_some();
  counts_all();
  return failures == 0 ? 0 : 1;
}
