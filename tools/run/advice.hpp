// SPDX-License-Identifier: BSD-3-Clause
// What to do about a rank that ended with 126 or 127, which the report alone does not explain.
#pragma once

#include <string>
#include <vector>

#include "launch/outcome.hpp"
#include "launch/program.hpp"

namespace tutti::tools {

// For the supervisor to say: without a line end, further lines are indented. Shells, wrappers and
// the loader end with these codes when they cannot run something. Empty for jobs that failed
// otherwise. `programs` are those of the job, in the order of their ranks.
[[nodiscard]] std::string advice_on(const launch::Outcome& outcome,
                                    const std::vector<launch::LaunchedProgram>& programs);

}  // namespace tutti::tools
