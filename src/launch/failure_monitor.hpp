// SPDX-License-Identifier: BSD-3-Clause
// A process that reports failures where MPI starts the ranks and no supervisor watches them. There
// is one per machine. It sees a rank die and says which one and in which call, besides what MPI
// reports and does. On a single host it also sees that all ranks wait in vain, says so, and lets
// them end. Membership starts it.
#pragma once

#include "launch/outcome.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

// Starts the monitor; collective over the job. The lowest rank of each machine forks it. `mapping`
// is this rank's. The monitor ends with the last rank, or after its report; it keeps only stderr of
// this process.
void start_failure_monitor(const transport::wire::WireJob& job,
                           const transport::shm::Mapping& mapping, OperationName operation_name);

}  // namespace tutti::launch
