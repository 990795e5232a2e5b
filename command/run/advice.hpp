// SPDX-License-Identifier: BSD-3-Clause
// Tells the user what to do about a rank that ended with 126 or 127, which the supervisor's report
// alone does not explain, and about programs of MPI, whose processes do not find each other.
#pragma once

#include <string>
#include <vector>

#include "launch/outcome.hpp"
#include "launch/program.hpp"

namespace tutti::tools {

// Returns a text for the supervisor to print, without a final line end; further lines are indented.
// Shells, wrappers and the loader end with 126 or 127 if they cannot run something. Returns an
// empty text if the job failed otherwise. `programs` are those of the job, in the order of their
// ranks.
[[nodiscard]] std::string advice_on(const launch::Outcome& outcome,
                                    const std::vector<launch::LaunchedProgram>& programs);

// Returns a line about a program of MPI of which no process has joined the job, or an empty text.
[[nodiscard]] std::string note_on_mpi(const launch::Outcome& outcome,
                                      const std::vector<launch::LaunchedProgram>& programs);

}  // namespace tutti::tools
