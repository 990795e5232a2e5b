// SPDX-License-Identifier: BSD-3-Clause
// How an operation is recorded (tutti run --record): its rounds as the engine has bound them.
#pragma once

#include <cstdint>

#include "engine/run_state.hpp"

namespace tutti::engine {

// Returns the number of what the run is bound to, and records it, and its group, if they are new.
[[nodiscard]] std::int32_t number_of(const RunState& run, record::RunRecorder& record);

}  // namespace tutti::engine
