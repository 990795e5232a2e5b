// SPDX-License-Identifier: BSD-3-Clause
// Declares the cases that the bench of the simulator runs.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "simulate/job.hpp"

namespace tutti::bench {

// An operation on a machine, by names. `switching` has the words of machine files.
struct Case {
  std::string name;
  std::string operation, algorithm;
  std::string topology, switching;
  std::int64_t bytes;  // length of the whole vector
};

[[nodiscard]] const std::vector<Case>& cases();
[[nodiscard]] machine::Machine machine_of(const Case& one);
[[nodiscard]] simulate::SimulatedJob job_of(const Case& one);

}  // namespace tutti::bench
