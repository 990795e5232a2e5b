// SPDX-License-Identifier: BSD-3-Clause
// Schedules for the tests of files.
#pragma once

#include "algorithms/registry.hpp"
#include "formats/schedule.hpp"

namespace tutti::formats {

// Returns the schedule that a generator makes for a shape that it applies to.
inline Schedule schedule_of(const schedule::Generator& generator, schedule::Shape shape) {
  if (!has_root(generator.operation)) shape.root = 0;
  return schedule_of(generator, shape, generator.name);
}

inline Schedule schedule_of(schedule::Operation operation, const char* name, int p, int root = 0) {
  return schedule_of(*algorithms::find(operation, name), {.p = p, .root = root});
}

}  // namespace tutti::formats
