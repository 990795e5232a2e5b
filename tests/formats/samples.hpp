// SPDX-License-Identifier: BSD-3-Clause
// Schedules for the tests of files.
#pragma once

#include <string>

#include "algorithms/registry.hpp"
#include "formats/schedule.hpp"
#include "schedule/printer.hpp"

namespace tutti {

// Returns the schedule that a generator makes for a shape that it applies to.
inline formats::Schedule schedule_of(const schedule::Generator& generator,
                                     const schedule::Shape& shape) {
  formats::Schedule made;
  made.name = generator.name;
  made.operation = generator.operation;
  made.p = shape.p;
  made.root = has_root(generator.operation) ? shape.root : 0;
  made.operators = generator.operators;
  made.buffers = generator.buffers(shape);
  for (int rank = 0; rank < shape.p; ++rank)
    made.programs.push_back(build(generator, shape, schedule::Rank{rank}));
  return made;
}

inline formats::Schedule schedule_of(schedule::Operation operation, const char* name, int p,
                                     int root = 0) {
  return schedule_of(*algorithms::find(operation, name), {.p = p, .root = root});
}

}  // namespace tutti
