// SPDX-License-Identifier: BSD-3-Clause
// A reduction starts by copying its input to an accumulator. Most of these copies are not needed:
// what would read the accumulator before it is first written may as well read the input.
#pragma once

#include "schedule/program.hpp"

namespace tutti::schedule {

// Returns the same Program without the copies from `input` that are not needed. Nothing else
// changes.
[[nodiscard]] Program forward_copies(Program program);

}  // namespace tutti::schedule
