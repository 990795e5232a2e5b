// SPDX-License-Identifier: BSD-3-Clause
// Makes the schedule of a generator for one number of ranks.
#include "formats/schedule.hpp"

#include <utility>

#include "schedule/printer.hpp"

namespace tutti::formats {

Schedule schedule_of(const schedule::Generator& generator, const schedule::Shape& shape,
                     std::string name) {
  Schedule made;
  made.name = std::move(name);
  made.operation = generator.operation;
  made.p = shape.p;
  made.root = shape.root;
  made.operators = generator.operators;
  made.in_place = generator.in_place;
  made.buffers = generator.buffers(shape);
  for (int rank = 0; rank < shape.p; ++rank)
    made.programs.push_back(schedule::build(generator, shape, schedule::Rank{rank}));
  return made;
}

}  // namespace tutti::formats
