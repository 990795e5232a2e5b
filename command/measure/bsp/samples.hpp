// SPDX-License-Identifier: BSD-3-Clause
// Holds the samples that the probe's measuring program writes, and derives a machine's parameters
// from them.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bsp_model/model.hpp"

namespace tutti::tools {

struct Speed {
  std::string operation;
  double n = 0;
  double seconds = 0;  // per operation
};

// Samples of one machine. Patterns, accesses and latencies keep the order in which they were
// measured.
struct ProbeData {
  int processes = 0;
  int processors = 0;  // that the processes share; 0: unknown
  std::vector<Speed> speeds;
  std::vector<std::pair<std::string, double>> latencies;
  struct Series {
    std::string pattern, access;
    std::vector<GapSample> samples;
  };
  std::vector<Series> series;
  // A superstep in which some processes compute, each for so many seconds of processor time.
  struct Shared {
    double active, seconds;
    double time;  // of the superstep
  };
  std::vector<Shared> shared;
  // Says why the measurement was disturbed; empty if it was not, or if this is unknown.
  std::string busy;

  // Takes one line of the measuring program's output. Throws base::Error if it is not understood.
  void add(const std::string& line);
  // Merges a repetition of the same measurement by keeping the lower time of each sample. Throws
  // base::Error if the two have different samples.
  void keep_least(const ProbeData& again);
  // Returns the lines from which add() would make the same data.
  [[nodiscard]] std::string lines() const;
};

// Throws base::Error(system_error) if the file cannot be read.
[[nodiscard]] ProbeData read_probe(const std::string& file);

// Returns a machine's parameters by name, as `tutti probe --json` prints and `tutti predict` reads
// them.
[[nodiscard]] nlohmann::json probe_json(const ProbeData& data, const std::string& source);

}  // namespace tutti::tools
