// SPDX-License-Identifier: BSD-3-Clause
// A schedule that somebody brings: the Programs of all ranks for one number of ranks, and what they
// are for. Files of every format become one.
#pragma once

#include <string>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::formats {

struct Schedule {
  std::string name;
  std::string about;  // free text
  schedule::Operation operation = schedule::Operation::barrier;
  int p = 1;
  int root = 0;           // rooted operations only
  bool any_root = false;  // for another root, the ranks are counted from that one
  schedule::Operators operators = schedule::Operators::any;
  bool in_place = true;  // input and output may be the same memory
  schedule::Buffers buffers;
  std::vector<schedule::Program> programs;  // by rank; all have equally many rounds
};

// Returns the schedule of a generator for one number of ranks.
[[nodiscard]] Schedule schedule_of(const schedule::Generator& generator,
                                   const schedule::Shape& shape, std::string name);

}  // namespace tutti::formats
