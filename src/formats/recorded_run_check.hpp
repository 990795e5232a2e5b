// SPDX-License-Identifier: BSD-3-Clause
// Says whether what several processes have recorded fits together.
#pragma once

#include <string>

#include "formats/recorded_run.hpp"

namespace tutti::formats {

// Returns what is wrong; empty if nothing is. Records that end early are no mistake, so nothing is
// missed that may have come later.
[[nodiscard]] std::string problem_of(const RecordedRun& run);

}  // namespace tutti::formats
