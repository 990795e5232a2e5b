// SPDX-License-Identifier: BSD-3-Clause
// Pictures of one simulation, as `tutti simulate` and `tutti run --machine` draw them.
#pragma once

#include "simulation/request.hpp"
#include "simulation/trace.hpp"

namespace tutti::tools {

// Returns true if the options ask for a picture or a trace of what happens in the simulation.
[[nodiscard]] bool draws(const SimulateOptions& options);

// Writes them. `recorder` has seen the simulation. Throws Error if a file cannot be written.
void write_pictures(const SimulateOptions& options, const Setting& setting, const Outcome& outcome,
                    const Recorder& recorder);

}  // namespace tutti::tools
