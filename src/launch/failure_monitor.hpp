// SPDX-License-Identifier: BSD-3-Clause
// Under MPI nobody of tutti's starts or supervises the ranks. A failure monitor, a process per
// machine, sees one of them die and says which and in what call, beside what MPI says and does
// about it.
#pragma once

#include "launch/outcome.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

// Collective over the job; the lowest rank of each machine forks it. `mapping` is this rank's. The
// failure monitor ends with the last of the ranks, or when it has spoken, and keeps nothing of this
// process's but stderr.
void start_failure_monitor(const transport::wire::WireJob& job,
                           const transport::shm::Mapping& mapping, OperationName operation_name);

}  // namespace tutti::launch
