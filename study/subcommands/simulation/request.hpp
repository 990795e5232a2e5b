// SPDX-License-Identifier: BSD-3-Clause
// Describes what `tutti simulate` is asked for.
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
  std::optional<int> runs;  // empty: as many as a map or a table needs
  std::optional<double> noise;
  std::optional<double> drift;
  std::size_t top = 5;
  bool map = false;
  int best = 0;  // number of plans that are simulated, the best by price; 0: those asked for
  bool csv = false;
  bool force = false;
  std::string timeline;  // a file
  bool timeline_too = false;
  std::string trace;
  std::string heat;
  std::string curve;
  std::string compute;
};

// A request simulates every candidate of a setting with every size. The settings differ in the size
// of the machine and in how ranks synchronise.
struct SimulateRequest {
  struct Part {
    Setting setting;
    std::vector<Candidate> candidates;
  };
  schedule::Operation operation = schedule::Operation::alltoall;
  std::vector<Part> parts;
  Sizes sizes;
  int best = 0;  // as in the options; the parts then have no candidates

  // Returns the number of outcomes that the request produces.
  [[nodiscard]] std::size_t count() const;
};

// These throw base::Error(invalid_argument) if the options cannot be understood. The first two
// serve requests of other kinds, too: a machine by its name with so many ranks, and an algorithm.
[[nodiscard]] Setting setting_of(const SimulateOptions& options, schedule::Operation operation,
                                 const std::string& machine, int ranks);
[[nodiscard]] Candidate algorithm_of(const CallOptions& call, schedule::Operation operation,
                                     const std::string& text);
[[nodiscard]] SimulateRequest request_of(const SimulateOptions& options);

}  // namespace tutti::tools
