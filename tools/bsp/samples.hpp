// SPDX-License-Identifier: BSD-3-Clause
// What the probe's measuring program writes, and the parameters of a machine that follow.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bsp/model.hpp"

namespace tutti::tools {

struct Speed {
  std::string operation;
  double n = 0;
  double seconds = 0;  // per operation
};

// Patterns, accesses and latencies in the order in which they were measured.
struct ProbeData {
  int processes = 0;
  std::vector<Speed> speeds;
  std::vector<std::pair<std::string, double>> latencies;
  struct Series {
    std::string pattern, access;
    std::vector<GapSample> samples;
  };
  std::vector<Series> series;
  std::string busy;  // why the measurement was disturbed; empty if it was not, or nobody knows

  // One line of the program. Throws base::Error if it is not understood.
  void add(const std::string& line);
  // The same measured once more: of each sample the least counts. Throws base::Error if the samples
  // are others.
  void keep_least(const ProbeData& again);
  // What add() would make this of.
  [[nodiscard]] std::string lines() const;
};

// Throws base::Error(system_error) when the file cannot be read.
[[nodiscard]] ProbeData read_probe(const std::string& file);

// Names and values of a machine, as `tutti probe --json` prints and `tutti predict` reads them.
[[nodiscard]] nlohmann::json probe_json(const ProbeData& data, const std::string& source);

}  // namespace tutti::tools
