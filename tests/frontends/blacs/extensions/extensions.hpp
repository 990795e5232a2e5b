// SPDX-License-Identifier: BSD-3-Clause
// Tests of what today's BLACS add to BLACS 1.1. Each function tests one addition on one grid.
#pragma once

#include "harness.hpp"

namespace conformance {

// Says whether all processes share memory. After a barrier, all messages that were sent before it
// have then come.
enum class Memory { shared, apart };

void anybody_cases(const Grid& grid, Memory memory, Tally& tally);
void user_combine_cases(const Grid& grid, Tally& tally);
void list_cases(const Grid& grid, Tally& tally);

}  // namespace conformance
