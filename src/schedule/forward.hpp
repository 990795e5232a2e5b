// SPDX-License-Identifier: BSD-3-Clause
// Removes copies at the beginning of a Program, for normalize.cpp. A reduction starts by copying
// its input to an accumulator. Most of these copies are not needed: operations that would read the
// accumulator before it is first written may as well read the input.
#pragma once

#include "schedule/program.hpp"

namespace tutti::schedule {

// Returns the Program without those copies from `input` that it does not need. Nothing else
// changes.
[[nodiscard]] Program forward_copies(Program program);

}  // namespace tutti::schedule
