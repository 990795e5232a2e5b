// SPDX-License-Identifier: BSD-3-Clause
// A second simulator, as simple as possible, to check the first: it looks at everything again at
// every instant. It shares no code with study/simulate/ and follows the comments of
// machine/machine.hpp and simulate/simulate.hpp.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "simulate/job.hpp"
#include "simulate/report.hpp"

namespace tutti::simulate {

struct BruteResult {
  std::vector<double> ends;  // of ranks
  std::vector<Contention> contentions;
  int port_waits = 0;
  int messages = 0;
  std::string failure;  // "lost", "stuck" or nothing
};

// Simulates one operation, given as programs on nodes 0 .. p-1. Every block has `unit` bytes.
[[nodiscard]] BruteResult brute_force(const machine::Machine& machine,
                                      const JobOperation& operation, double unit);

}  // namespace tutti::simulate
