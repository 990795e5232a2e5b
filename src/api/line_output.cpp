// SPDX-License-Identifier: BSD-3-Clause
// For a pipe or a file, the C library collects 4096 bytes before it writes, so a piece of one
// process's line may end up between lines of another. With line buffering each line is one write,
// which the kernel keeps whole (the costs: docs/internals/command.md, "Output is cut at lines").
#include "api/line_output.hpp"

#include <stdio_ext.h>

#include <cstdio>

namespace tutti::api {
namespace {

// Returns true if nothing was written to the stream and no buffer was set. setvbuf is defined only
// before the first output. The C library makes a buffer at the first output unless the program, or
// stdbuf(1), has set one.
bool untouched(FILE* stream) {
  return ::__fbufsize(stream) == 0 && ::__fpending(stream) == 0;
}

}  // namespace

void cut_output_at_lines(const launch::Membership& membership) {
  const bool shared = membership.world_size() > 1 || membership.parent() >= 0;
  // Failure is harmless: lines of several ranks may then be mixed.
  if (shared && untouched(stdout)) std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

}  // namespace tutti::api
