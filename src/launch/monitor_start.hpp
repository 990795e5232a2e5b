// SPDX-License-Identifier: BSD-3-Clause
// Starts the failure monitor of a machine. Membership uses it.
#pragma once

#include "launch/descriptor.hpp"
#include "launch/helper_process.hpp"
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

extern const HelperKind failure_monitor;

}  // namespace tutti::launch
