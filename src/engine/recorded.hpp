// SPDX-License-Identifier: BSD-3-Clause
// How an operation is recorded (tutti run --record): its rounds as the engine has bound them.
#pragma once

#include <cstdint>
#include <string>

#include "engine/run_state.hpp"

namespace tutti::engine {

// Returns the rounds that the run is bound to, as a list without its brackets.
[[nodiscard]] std::string rounds_of(const RunState& run);

// Returns the number of an operation: the one that the run is bound to, with these rounds after its
// own. Records it, and its group, if they are new.
[[nodiscard]] std::int32_t number_of(const RunState& run, const std::string& more_rounds,
                                     record::RunRecorder& record);

}  // namespace tutti::engine
