// SPDX-License-Identifier: BSD-3-Clause
// The debug level and the timing level of this process; see docs/internals/blacs.md, "Debug and
// timing levels".
#pragma once

#include <string>

namespace tutti::blacs {

constexpr int most_debug = 3, most_timing = 2;

struct Levels {
  // 0 checks what a call cannot do without, 1 all arguments. 2 also tells reports what a call does,
  // and 3 compares it with what the other processes do.
  int debug = 1;
  // 1 counts calls, lengths and times, 2 also measures how long a call waits for others.
  int timing = 0;
  // True if somebody looks at calls, that is at a debug level above 1 or a timing level above 0.
  bool watch = false;
};
// A call at level 0 reads these, so they are found without a detour.
[[gnu::visibility("hidden")]] extern constinit Levels levels;

void set_debug_level(int level);
void set_timing_level(int level);

// Reads TUTTI_BLACS_DEBUG and TUTTI_BLACS_TIMING. Returns what is wrong with them; an empty text if
// nothing is.
[[nodiscard]] std::string read_levels();

}  // namespace tutti::blacs
