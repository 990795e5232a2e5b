// SPDX-License-Identifier: BSD-3-Clause
// Starts the failure monitor of a machine without a copy of the program's memory (apart.hpp).
// Membership uses it.
#pragma once

#include "launch/descriptor.hpp"
#include "launch/outcome.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

// Starts the monitor; collective over the job. The lowest rank of each machine starts it. `mapping`
// is this rank's. The monitor is no child of the program. Returns an end of a socket that this rank
// keeps for as long as it lives, in the rank that has started a monitor: when the end closes, a
// monitor that somebody has stopped goes on.
[[nodiscard]] Descriptor start_failure_monitor(const transport::wire::WireJob& job,
                                               const transport::shm::Mapping& mapping,
                                               OperationName operation_name);

// Does not return if this process has been started to be a monitor. Called when the library is
// loaded, with the arguments of the process.
void serve_as_failure_monitor(int argc, char** argv, OperationName operation_name);

}  // namespace tutti::launch
