// SPDX-License-Identifier: BSD-3-Clause
// Begins the trace of this process, if TUTTI_TRACE asks for one, and ends it when the process
// leaves its job or ends. The state object and the functions that finalise call it.
#pragma once

#include "engine/in_flight.hpp"
#include "launch/member.hpp"
#include "transport/trace/tracer.hpp"

namespace tutti::api {

// Returns the recorder, which waits and operations use from now on; nullptr without a trace. Throws
// Error(bad_environment) if the file cannot be written.
[[nodiscard]] trace::Tracer* begin_trace(const launch::Membership& membership,
                                         engine::InFlight& in_flight);

// Writes the file. Nothing is recorded afterwards. A second call does nothing.
void end_trace();

}  // namespace tutti::api
