// SPDX-License-Identifier: BSD-3-Clause
// Processes that another launcher has started: a job of several must not become several jobs of one
// without a word.
#pragma once

#include "launch/job_descriptor.hpp"

namespace tutti::launch {

// Throws Error(bad_environment), which says how to start the program, if a launcher whose jobs
// tutti cannot join has started this process as one of several. TUTTI_TRANSPORT=shm says that each
// of them is meant to be alone.
void refuse_other_launcher();

// Throws Error(bad_environment), which says which way round, if one of tutti run's processes is
// another launcher: its processes have the job descriptor, but it is they whom it numbers.
void refuse_launcher_within(const JobDescriptor& job_descriptor);

}  // namespace tutti::launch
