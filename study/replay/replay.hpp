// SPDX-License-Identifier: BSD-3-Clause
// Replays a recorded run on a machine: the simulator gets what ranks do from the record in place of
// a job. What depended on time in the run, such as which message a receive from anybody took, stays
// as it was recorded.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "formats/recorded_run.hpp"
#include "replay/graph.hpp"
#include "replay/operations.hpp"
#include "simulate/simulate.hpp"

namespace tutti::replay {

struct ReplayOptions {
  // Factor of the time for which ranks have computed on the machine of the record; 0: computation
  // takes no time.
  double compute = 0;
  Choose choose{};  // empty: all algorithms stay
  simulate::SimulationOptions simulation{};
};

// The part of a record that a replay does not time, or has changed.
struct LeftOut {
  double not_computed = 0;    // microseconds of all ranks together
  std::int64_t arrivals = 0;  // at counters of processes that wait for each other
  std::map<std::string, std::int64_t> shared{};  // uses of memory that others use, by call
  std::int64_t substituted = 0, kept = 0;        // see Substitutes
};

struct Replayed {
  simulate::Report report;
  LeftOut left_out;
};

// Throws Error(invalid_argument) if the record of a rank ends early, or if the ranks do not fit on
// the machine, and simulate::Failure if the replay does not end.
[[nodiscard]] Replayed replay(const machine::Machine& machine, const formats::RecordedRun& run,
                              const ReplayOptions& options);

// Returns the run as a graph of messages (graph.hpp). Throws as replay() does.
[[nodiscard]] formats::MessageGraph graph_of(const formats::RecordedRun& run,
                                             const ReplayOptions& options,
                                             const machine::Machine* machine);

}  // namespace tutti::replay
