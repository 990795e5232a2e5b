// SPDX-License-Identifier: BSD-3-Clause
// Runs the measuring program of `tutti probe`.
#pragma once

#include <string>

#include "bsp/samples.hpp"

namespace tutti::tools {

struct Probed {
  std::string source;
  ProbeData data;
};

struct ProbeSettings {
  int ranks = 0;  // 0 means one per processor, at least 2
  int words = 1 << 16;
  int messages = 512;
  int series = 5;
  int microseconds = 50;  // duration of a series
  int passes = 1;         // passes of the whole measurement; one more runs if the machine was busy
  double patience = 3;    // seconds to wait for a quiet machine
  std::string raw{};      // file for the samples, if any
  std::string only{};     // "llcs" measures only the two ways to the longest common subsequence
};

// Measures this machine. Throws base::Error(system_error).
[[nodiscard]] Probed measure_machine(const ProbeSettings& settings);

}  // namespace tutti::tools
