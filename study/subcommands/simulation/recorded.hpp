// SPDX-License-Identifier: BSD-3-Clause
// Recorded runs as what `tutti simulate` is asked for: FILE --machine A,B --algorithm OP=NAME.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "replay/replay.hpp"
#include "simulation/case.hpp"

namespace tutti::tools {

struct SimulateOptions;
struct SimulateRequest;

// A recorded run with the wishes of the user.
struct Recorded : PlayedRun {
  formats::RecordedRun run;
  double compute = 0;  // as in ReplayOptions
  // Algorithms that take the place of those that have run, by operation.
  struct Wish {
    schedule::Operation operation{};
    Candidate algorithm;
  };
  std::vector<Wish> wishes;

  [[nodiscard]] replay::Replayed play(const Setting& setting,
                                      const simulate::SimulationOptions& options) const override;
  [[nodiscard]] std::string call_of(int node, int phase) const override;
};

// Returns the file that stands in place of the operation, if it is a recorded run. Otherwise
// returns an empty text.
[[nodiscard]] std::string recorded_file(const CallOptions& options);

[[nodiscard]] formats::RecordedRun recorded_run_in(const std::string& file);

// Reads the factor of --compute: "x0.2" or "0.2". Throws Error(invalid_argument).
[[nodiscard]] double factor_named(const std::string& text);

// Returns the request for a replay on each machine. Throws Error(invalid_argument).
[[nodiscard]] SimulateRequest request_of_record(const SimulateOptions& options,
                                                const std::string& file);

// Says in sentences what of the record has no time in the replay, and what has another algorithm;
// empty if there is nothing.
[[nodiscard]] std::string notes_on(const replay::LeftOut& left_out);

}  // namespace tutti::tools
