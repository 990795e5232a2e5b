// SPDX-License-Identifier: BSD-3-Clause
// Random machines and random schedules for them, for compare_test.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "machine/machine.hpp"
#include "simulate/job.hpp"

namespace tutti::simulate {

struct Case {
  machine::Machine machine;
  JobOperation operation;
  double unit = 1;  // bytes of a block
  std::string text;
};

// Draws a case. All its times are whole microseconds. The number determines everything, so a
// failure can be repeated.
[[nodiscard]] Case random_case(const std::string& topology, machine::Switching switching,
                               std::uint64_t number);

}  // namespace tutti::simulate
