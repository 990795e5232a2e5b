// SPDX-License-Identifier: BSD-3-Clause
// What `tutti simulate` can be asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/case.hpp"
#include "support/call.hpp"

namespace tutti::tools {

struct SimulateOptions {
  CallOptions call;
  std::string dimensions;
  std::string implementations;
  std::string sync;
  std::uint64_t seed = 1;
  int runs = 1;
  std::optional<double> noise;
  std::optional<double> drift;
  std::size_t top = 5;
  bool map = false;
  bool csv = false;
  bool force = false;
  std::string timeline;
  std::string trace;
  std::string heat;
};

// Every candidate of a setting is simulated with every size. Settings differ by the size of the
// machine and by how ranks synchronise.
struct SimulateRequest {
  struct Part {
    Setting setting;
    std::vector<Candidate> candidates;
  };
  schedule::Operation operation = schedule::Operation::alltoall;
  std::vector<Part> parts;
  Sizes sizes;

  // How many outcomes there will be.
  [[nodiscard]] std::size_t count() const;
};

// Throws base::Error(invalid_argument).
[[nodiscard]] SimulateRequest request_of(const SimulateOptions& options);

}  // namespace tutti::tools
