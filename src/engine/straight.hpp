// SPDX-License-Identifier: BSD-3-Clause
// The driver of rounds of short messages: one op after the other, without bookkeeping about how far
// each has come, which would take longer than the ops. It is only for a caller that is blocked in
// this run.
#pragma once

#include "engine/run_state.hpp"

namespace tutti::engine {

// Runs the present round. Returns false if a wait outlasts its spin; the other driver (rounds.hpp)
// then goes on from there.
bool run_straight(RunState& run);

}  // namespace tutti::engine
