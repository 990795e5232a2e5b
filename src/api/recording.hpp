// SPDX-License-Identifier: BSD-3-Clause
// Begins the record of this process, if `tutti run --record` or --machine asks for it, and ends it
// when the process leaves its job or ends. The state object and the functions that finalise call
// it.
#pragma once

#include "launch/member.hpp"
#include "transport/record/recorder.hpp"

namespace tutti::api {

// Returns the record, to which engine, services and calls write from now on; nullptr if nobody asks
// for it. It lives as long as the process. Throws Error(bad_environment) if the file cannot be
// written.
[[nodiscard]] record::RunRecorder* begin_record(launch::Membership& membership);

// A call of the program begins. With TUTTI_RECORD_PLACES, records from which place it comes.
void record_call(record::RunRecorder& record, const trace::KnownNames::Words& name);

// The process has left its job, or ends by itself. A second call does nothing.
void end_record();

}  // namespace tutti::api
