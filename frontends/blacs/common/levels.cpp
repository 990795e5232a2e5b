// SPDX-License-Identifier: BSD-3-Clause
// Sets the levels by call and by environment variables (levels.hpp).
#include "levels.hpp"

#include <fmt/format.h>
#include <tutti/tutti_runtime.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "timing.hpp"

namespace tutti::blacs {
namespace {

// Returns the value of a variable, which is one digit up to `most`; -1 if it is anything else.
int level_in(const char* variable, int most, std::string& problem) {
  std::array<char, 32> text{};
  const std::size_t length = tutti_setting_text(variable, text.data(), text.size());
  const int level = text[0] - '0';
  if (length == 1 && level >= 0 && level <= most) return level;
  problem = fmt::format("environment variable {} is '{}' but must be a whole number from 0 to {}",
                        variable, text.data(), most);
  return -1;
}

void choose_watch() {
  levels.watch = levels.debug >= 2 || levels.timing >= 1;
}

}  // namespace

constinit Levels levels;

void set_debug_level(int level) {
  levels.debug = level;
  choose_watch();
}

void set_timing_level(int level) {
  static bool ends_known = false;
  // A program may end without a call that leaves its job.
  // Failure is harmless: without the function, a program that does not call blacs_exit gets no
  // times.
  if (level > 0 && !std::exchange(ends_known, true)) std::atexit(finish_timing);
  levels.timing = level;
  tutti_measure_waits(level >= 2 ? 1 : 0);
  choose_watch();
}

std::string read_levels() {
  std::string problem;
  const int debug = level_in("TUTTI_BLACS_DEBUG", most_debug, problem);
  const int timing = level_in("TUTTI_BLACS_TIMING", most_timing, problem);
  if (debug < 0 || timing < 0) return problem;
  set_debug_level(debug);
  set_timing_level(timing);
  return problem;
}

}  // namespace tutti::blacs
